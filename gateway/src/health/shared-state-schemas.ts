import { z } from 'zod';

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

export const gatewayAddress = z
	.strictObject({
		id: z.string().describe('Id in the registry.'),
		address: z.string().describe('Host and port of its operations pages.'),
	})
	.meta({
		id: 'GatewayAddress',
		description: 'One gateway; the one that responds is absent until it listens.',
	});

export const sharedStateFields = {
	instance: gatewayAddress.optional(),
	otherGateways: z.array(gatewayAddress).describe('The other gateways in the registry.'),
	rateLimits: rateLimitHealth,
	breakerOverrides: z
		.strictObject(overrideStore)
		.meta({ id: 'OverrideStoreHealth', description: 'Store of the overrides of breakers.' }),
};
