import { cleanNumber } from '@paddock/text';
import { z } from 'zod';

/** Longer than any identifier with its separators. */
const writtenCharsMax = 60;

/** Number of characters of one class: `['[A-Z]', 2]`. */
type Part = readonly [characters: string, count: number];

// The documented separators; see `cleanNumber` for all that are dropped.
const gap = "[\\s./:_'-]*";

interface IdentifierText {
	readonly message: string;
	readonly description: string;
}

/** An identifier in capitals: `stored` for responses; `written` accepts separators and small letters, and results in that. */
export function identifier(parts: readonly Part[], { message, description }: IdentifierText) {
	const pattern = `^${parts.map(([characters, count]) => characters + times(count)).join('')}$`;
	const format = new RegExp(pattern, 'u');
	const stored = z.string().regex(format, message).describe(description);
	const meta = {
		type: 'string',
		maxLength: writtenCharsMax,
		pattern: `^${parts.map(writtenPart).join('')}${gap}$`,
		description: `${description} Blanks, dots, hyphens and slashes are dropped${pattern.includes('A-Z') ? ', small letters become capitals' : ''}.`,
	} as const;
	const written = z
		.string()
		.max(writtenCharsMax, `must have at most ${writtenCharsMax} characters`)
		.transform((value, context) => {
			const cleaned = cleanNumber(value);
			if (format.test(cleaned)) return cleaned;
			context.addIssue({ code: 'custom', message });
			return z.NEVER;
		});
	return {
		stored,
		nullableStored: stored.nullable().describe(description),
		written: written.meta(meta),
		// The OpenAPI generator drops `nullable` if the type is set.
		nullableWritten: written.nullable().meta({ ...meta, nullable: true }),
	};
}

function writtenPart([characters, count]: Part): string {
	const either = characters.replace('A-Z', 'A-Za-z').replace('Ö', 'Öö');
	return `(?:${gap}${either})${times(count)}`;
}

function times(count: number): string {
	return count === 1 ? '' : `{${count}}`;
}
