import { searchForms } from '@paddock/text';

/** What a `search_text` column holds: each form of each text behind a line break, which `searchPatterns` looks for. */
export function searchLines(...texts: readonly (string | null)[]): string {
	const forms = texts.flatMap((text) => (text === null ? [] : searchForms(text)));
	return [...new Set(forms)].map((form) => `\n${form}`).join('');
}

/**
 * LIKE patterns over `search_text`: hits at the beginning of a text, and hits anywhere. None for what is nothing but
 * marks, which would else be found in every text.
 */
export function searchPatterns(typed: string): { prefix: string[]; infix: string[] } {
	const typedForms = searchForms(typed).filter((form) => form !== '');
	const forms = typedForms.map((form) => form.replace(/[\\%_]/g, (special) => `\\${special}`));
	return { prefix: forms.map((form) => `%\n${form}%`), infix: forms.map((form) => `%${form}%`) };
}
