import { z } from 'zod';

/** The longest override: timers and forgotten overrides are bounded by it. */
export const overrideSecondsMax = 86_400;

const instant = z.iso.datetime().transform((text) => new Date(text));

const schema = z.object({
	overrides: z
		.array(
			z.object({
				target: z.object({ context: z.string(), instance: z.string().optional() }),
				state: z.enum(['OPEN', 'CLOSED']),
				reason: z.string(),
				/** The id of the user who set it. */
				by: z.string(),
				/** The user's name at that time; absent if auth did not report it. */
				byName: z.string().optional(),
				at: instant,
				until: instant,
			}),
		)
		.max(10_000)
		.readonly(),
	/** Why the last override that was removed has ended. */
	removal: z.string(),
});

/** The overrides as they are stored for all gateways. */
export type OverrideDocument = z.output<typeof schema>;

/** @throws Error if the text is not a document, or an override in it would apply for longer than any can be set for */
export function parseOverrides(text: string, now: Date): OverrideDocument {
	const document = schema.parse(JSON.parse(text));
	// The clock of the gateway that stored it may be ahead.
	const latest = new Date(now.getTime() + 2 * overrideSecondsMax * 1_000);
	if (document.overrides.some(({ until }) => until > latest))
		throw new RangeError('An override never expires.');
	return document;
}

export function overridesText(document: OverrideDocument): string {
	return JSON.stringify(document);
}
