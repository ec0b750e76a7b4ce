import { z } from 'zod';

/** Where overrides of breakers are stored. */
export const overrideStore = {
	storedIn: z.enum(['consul', 'redis', 'memory']).meta({
		id: 'OverrideStoreKind',
		description: 'Store of the overrides. `memory`: they apply at this gateway only, until it stops.',
	}),
	stale: z
		.boolean()
		.describe('Whether the store does not respond: the last known overrides apply, none can be changed.'),
};

const rateLimitHealth = z
	.strictObject({
		keptIn: z
			.enum(['memory', 'redis', 'redis unavailable: memory'])
			.meta({ id: 'RateLimitStore', description: '`redis`: all gateways count together.' }),
	})
	.meta({ id: 'RateLimitHealth', description: 'Where requests are counted against the rate limits.' });

export type RateLimitHealth = z.output<typeof rateLimitHealth>;

/** The state that gateways share, in the health of one. */
export const sharedStateFields = {
	rateLimits: rateLimitHealth,
	breakerOverrides: z
		.strictObject(overrideStore)
		.meta({ id: 'OverrideStoreHealth', description: 'Store of the overrides of breakers.' }),
};
