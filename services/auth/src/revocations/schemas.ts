import { z } from 'zod';

const waitMsMax = 30_000;

export const revocationQuery = z.strictObject({
	after: z.string().min(1).max(100).optional().describe('`next` of the page before.'),
	waitMs: z
		.string()
		.regex(/^\d{1,5}$/, 'must be a whole number')
		.transform(Number)
		.refine((value) => value <= waitMsMax, `must be between 0 and ${waitMsMax}`)
		.default(0),
});

export const revocationPageSchema = z.strictObject({
	items: z.array(
		z.strictObject({
			subject: z.string().describe('Digest of a session or an account.'),
			before: z.int().nullable().describe('The account version below which tokens are revoked; null = all.'),
		}),
	),
	next: z.string(),
	more: z.boolean(),
});

export const liveSessionSchema = z.strictObject({
	live: z.boolean(),
	name: z.string().optional().describe('Name of the user; absent unless live.'),
});
