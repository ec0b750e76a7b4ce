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
export { hasHiddenCharacter, hasTextOrder, withoutHiddenCharacters } from './hidden-characters.ts';
export { hasLongMarkRun, marksMax, shortenMarkRuns } from './mark-runs.ts';
export { readableEmail } from './readable-email.ts';
