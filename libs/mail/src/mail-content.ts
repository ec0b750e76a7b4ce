import { z } from 'zod';

const text = (max: number) => z.string().min(1).max(max);
/** Lengths in UTF-16 units. */
const subjectMax = 300;
const paragraphMax = 4_000;
const factMax = 1_000;

const mailPart = z.union([
	text(paragraphMax),
	z.strictObject({ facts: z.array(z.tuple([text(200), z.string().max(factMax)])).max(50) }),
	z.strictObject({
		/** A path of the gateway, since contexts don't know its address. */
		link: z.strictObject({ path: z.string().startsWith('/').max(2_000), text: text(200) }),
	}),
	/** The place of what the mail is about for each account, under this label; see `MailRecipient`. */
	z.strictObject({ subjects: text(200) }),
]);

/**
 * A mail in one language, of which both the text and the HTML are rendered: a subject, and paragraphs, lists of facts and
 * links in their order.
 */
export const mailContent = z.strictObject({
	subject: text(subjectMax),
	parts: z.array(mailPart).min(1).max(50),
});

export type MailContent = z.output<typeof mailContent>;
/** A paragraph, `{ facts: [[label, value], …] }`, `{ link: { path, text } }` or `{ subjects: label }`. */
export type MailPart = z.output<typeof mailPart>;

/** The content with texts that are too long cut off: names of people and horses may have any length together. */
export function fittedContent({ subject, parts }: MailContent): MailContent {
	return {
		subject: shortened(subject, subjectMax),
		parts: parts.map((part) => {
			if (typeof part === 'string') return shortened(part, paragraphMax);
			if (!('facts' in part)) return part;
			return { facts: part.facts.map(([label, value]) => [label, shortened(value, factMax)]) };
		}),
	};
}

/** At most `lengthMax` UTF-16 units, none of them half a character: PostgreSQL refuses these in JSON. */
export function shortened(text: string, lengthMax: number): string {
	if (text.length <= lengthMax) return text;
	return `${text.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const subjectsMax = 40;

/** A mail of which every part is shown. */
export interface FilledContent extends MailContent {
	parts: Exclude<MailPart, { readonly subjects: string }>[];
}

/** The mail for one account: with these lines at the place of the subjects, or without that place. */
export function withSubjects({ subject, parts }: MailContent, subjects: readonly string[]): FilledContent {
	const lines = subjects.slice(0, subjectsMax).map((line) => `- ${oneLine(line)}`);
	if (subjects.length > subjectsMax) lines.push('- …');
	const filled = parts.flatMap((part): FilledContent['parts'] => {
		if (typeof part === 'string' || !('subjects' in part)) return [part];
		return lines.length === 0 ? [] : [[`${part.subjects}:`, ...lines].join('\n')];
	});
	return { subject, parts: filled };
}

/** Names come from users; a line break in a header would start another header. */
export function oneLine(text: string): string {
	return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}
