export { cleanNumber } from './clean-number.ts';
export {
	comparisonKey,
	foldedTexts,
	searchForms,
	withoutMarks,
	withoutUmlautVowels,
	withUmlautsSpelledOut,
} from './fold-text.ts';
export { fullName } from './full-name.ts';
export {
	hasHiddenCharacter,
	hasLongMarkRun,
	hasTextOrder,
	marksMax,
	shortenMarkRuns,
	withoutHiddenCharacters,
} from './hidden-characters.ts';
export { readableEmail } from './readable-email.ts';
