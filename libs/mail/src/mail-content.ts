import { z } from 'zod';

const text = (max: number) => z.string().min(1).max(max);

const mailPart = z.union([
	text(4_000),
	z.strictObject({ facts: z.array(z.tuple([text(200), z.string().max(1_000)])).max(50) }),
	z.strictObject({
		/** A path of the gateway, since contexts don't know its address. */
		link: z.strictObject({ path: z.string().startsWith('/').max(2_000), text: text(200) }),
	}),
]);

/**
 * A mail in one language, of which both the text and the HTML are rendered: a subject, and paragraphs, lists of facts and
 * links in their order.
 */
export const mailContent = z.strictObject({ subject: text(300), parts: z.array(mailPart).min(1).max(50) });

export type MailContent = z.output<typeof mailContent>;
/** A paragraph, `{ facts: [[label, value], …] }` or `{ link: { path, text } }`. */
export type MailPart = z.output<typeof mailPart>;
