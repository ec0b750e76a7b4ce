import { z } from 'zod';
import type { CurrentOverride } from './override-table.ts';

/** The longest override: timers and forgotten overrides are bounded by it. */
export const overrideSecondsMax = 86_400;

/** The overrides as they are stored for all gateways. */
export interface OverrideDocument {
	readonly overrides: readonly CurrentOverride[];
	/** Why the last override that was removed has ended. */
	readonly removal: string;
}

const instant = z.iso.datetime().transform((text) => new Date(text));

const schema = z.object({
	overrides: z
		.array(
			z.object({
				target: z.object({ context: z.string(), instance: z.string().optional() }),
				state: z.enum(['OPEN', 'CLOSED']),
				reason: z.string(),
				by: z.string(),
				byName: z.string().optional(),
				at: instant,
				until: instant,
			}),
		)
		.max(10_000),
	removal: z.string(),
});

/** @throws Error if the text is not a document, or an override in it would apply for longer than any can be set for */
export function parseOverrides(text: string, now: Date): OverrideDocument {
	const { overrides, removal } = schema.parse(JSON.parse(text));
	// The clock of the gateway that stored it may be ahead.
	const latest = new Date(now.getTime() + 2 * overrideSecondsMax * 1_000);
	if (overrides.some(({ until }) => until > latest)) throw new RangeError('An override never expires.');
	return {
		overrides: overrides.map(({ target: { context, instance }, byName, ...rest }) => ({
			target: instance === undefined ? { context } : { context, instance },
			byName,
			...rest,
		})),
		removal,
	};
}

export function overridesText(document: OverrideDocument): string {
	return JSON.stringify(document);
}
