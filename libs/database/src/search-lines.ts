import { searchForms } from '@paddock/text';

/** The content of a `search_text` column: each form of each text after a line break, which `searchPatterns` matches. */
export function searchLines(...texts: readonly (string | null)[]): string {
	const forms = texts.flatMap((text) => (text === null ? [] : searchForms(text)));
	return [...new Set(forms)].map((form) => `\n${form}`).join('');
}

/**
 * LIKE patterns for `search_text`: hits at the beginning of a text, and hits anywhere. Empty if the input consists of
 * marks only, which would match every text.
 */
export function searchPatterns(typed: string): { prefix: string[]; infix: string[] } {
	const typedForms = searchForms(typed).filter((form) => form !== '');
	const forms = typedForms.map((form) => form.replace(/[\\%_]/g, (special) => `\\${special}`));
	return { prefix: forms.map((form) => `%\n${form}%`), infix: forms.map((form) => `%${form}%`) };
}
