export {
	cleanNumber,
	comparisonKey,
	foldedTexts,
	searchForms,
	withoutMarks,
	withoutUmlautVowels,
	withUmlautsSpelledOut,
} from './fold-text.ts';
export {
	hasHiddenCharacter,
	hasLongMarkRun,
	hasTextOrder,
	marksMax,
	withoutHiddenCharacters,
} from './hidden-characters.ts';
export { fullName, readableEmail } from './person-texts.ts';
