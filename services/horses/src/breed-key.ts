import { searchForms } from '@paddock/text';

/** Comparison key of a breed: ignores case and umlaut spelling. */
export function breedKey(breed: string): string {
	return searchForms(breed)[0] ?? '';
}
