export { searchForms, withoutMarks, withUmlautsSpelledOut } from './fold-text.ts';
export { hasHiddenCharacter, hasTextOrder, withoutHiddenCharacters } from './hidden-characters.ts';
export { hasLongMarkRun, marksMax, shortenMarkRuns } from './mark-runs.ts';
