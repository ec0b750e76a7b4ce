import { z } from 'zod';

/** A Date; in JSON an ISO 8601 instant. */
export const instantDate = z.date().meta({ type: 'string', format: 'date-time' });

const healthStatus = z.enum(['UP', 'DEGRADED', 'DOWN', 'UNKNOWN']);
const healthReason = z.enum(['NO_INSTANCES', 'NO_HEALTH_ENDPOINT', 'ERROR', 'TIMEOUT', 'CIRCUIT_OPEN']);

/** Health words of a service or an instance. */
export type HealthStatus = z.output<typeof healthStatus>;

/** Why something is not UP. */
export type HealthReason = z.output<typeof healthReason>;

export const liveness = z
	.strictObject({ status: healthStatus })
	.meta({ id: 'Liveness', example: { status: 'UP' } });

export const readiness = z
	.strictObject({ status: healthStatus, draining: z.boolean() })
	.meta({ id: 'Readiness', example: { status: 'UP', draining: false } });

/** A breaker as health and the list of breakers show it. */
export const breakerFields = {
	state: z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']),
	since: instantDate,
	failureRate: z
		.number()
		.min(0)
		.max(1)
		.optional()
		.meta({ description: 'Failures in the window; absent without a result.' }),
	nextTryAt: instantDate.optional().meta({
		description:
			'When an open breaker may become half-open, or one that is forced open admits requests again.',
	}),
	forced: z
		.strictObject({ reason: z.string(), by: z.string(), until: instantDate })
		.optional()
		.meta({ description: "The administrator's order that it obeys; `by` is the id of the user." }),
};

const breaker = z
	.strictObject(breakerFields)
	.meta({ id: 'Breaker', example: { state: 'CLOSED', since: '2026-03-01T08:00:00.000Z', failureRate: 0 } });

const exampleInstance = {
	id: 'masterdata-service-10.0.0.7-8083',
	address: '10.0.0.7:8083',
	status: 'UP',
	latencyMs: 3.4,
	inFlight: 2,
	breaker: { state: 'CLOSED', since: '2026-03-01T08:00:00.000Z', failureRate: 0 },
};

const instanceHealth = z
	.strictObject({
		id: z.string(),
		address: z.string(),
		status: healthStatus,
		reason: healthReason.optional(),
		statusCode: z.int().optional().meta({ description: 'Of an answer that was not 200.' }),
		message: z.string().optional(),
		latencyMs: z.number().min(0),
		inFlight: z.int().min(0),
		breaker,
		peers: z
			.record(z.string(), z.enum(['OPEN', 'HALF_OPEN']))
			.optional()
			.meta({ description: 'Services that it asks and whose breakers, in it, are not closed.' }),
	})
	.meta({ id: 'InstanceHealth', example: exampleInstance });

const exampleService = {
	status: 'UP',
	critical: true,
	latencyMs: 3.4,
	instances: [exampleInstance],
	discovery: { stale: false, ageSeconds: 1.2, rejected: 0 },
};

const serviceHealth = z
	.strictObject({
		status: healthStatus,
		critical: z.boolean(),
		reason: healthReason.optional(),
		statusCode: z.int().optional(),
		message: z.string().optional(),
		latencyMs: z.number().min(0).optional(),
		instances: z.array(instanceHealth),
		discovery: z.strictObject({
			stale: z.boolean(),
			ageSeconds: z.number().min(0).nullable(),
			rejected: z.int().min(0),
		}),
	})
	.meta({ id: 'ServiceHealth', example: exampleService });

const exampleDiscovery = {
	status: 'UP',
	kind: 'consul',
	leader: '10.0.0.2:8300',
	ageSeconds: 0.4,
	stale: false,
};

export type ServiceHealth = z.output<typeof serviceHealth>;
export type InstanceHealth = z.output<typeof instanceHealth>;

const discoveryHealth = z
	.strictObject({
		status: healthStatus,
		kind: z.enum(['consul', 'static']),
		leader: z.string().nullable(),
		ageSeconds: z
			.number()
			.min(0)
			.nullable()
			.meta({ description: 'Seconds since the registry vouched for what is shown.' }),
		stale: z.boolean(),
		message: z.string().optional(),
	})
	.meta({ id: 'DiscoveryHealth', example: exampleDiscovery });

const exampleGateway = {
	status: 'UP',
	version: '0.1.0',
	uptimeSeconds: 86_400,
	draining: false,
	eventLoopDelayMs: 0.3,
	memoryBytes: 120_000_000,
	revocations: { stale: false, ageSeconds: 0.8 },
};

export type DiscoveryHealth = z.output<typeof discoveryHealth>;

const revocationHealth = z
	.strictObject({ stale: z.boolean(), ageSeconds: z.number().min(0).nullable() })
	.meta({ description: 'Revoked access tokens: whether recent ones may be missing, and since when.' });

export type RevocationHealth = z.output<typeof revocationHealth>;

const gatewayHealth = z
	.strictObject({
		status: healthStatus,
		version: z.string(),
		uptimeSeconds: z.number().min(0),
		draining: z.boolean(),
		eventLoopDelayMs: z.number().min(0),
		memoryBytes: z.int().min(0),
		revocations: revocationHealth,
	})
	.meta({ id: 'GatewayHealth', example: exampleGateway });

export type GatewayHealth = z.output<typeof gatewayHealth>;

const briefHealth = z.strictObject({ status: healthStatus }).meta({
	id: 'BriefHealth',
	description: 'What a caller sees who may not see details.',
	example: { status: 'UP' },
});

/** One component; by the caller's rights in full or in brief. */
export const component = z.union([serviceHealth, discoveryHealth, gatewayHealth, briefHealth]);

const exampleCombined = {
	status: 'UP',
	components: { masterdata: exampleService, discovery: exampleDiscovery, gateway: exampleGateway },
};

export const combinedHealth = z
	.strictObject({ status: healthStatus, components: z.record(z.string(), component) })
	.meta({ id: 'CombinedHealth', example: exampleCombined });

const exampleChange = {
	at: '2026-03-01T08:15:00.000Z',
	context: 'masterdata',
	instance: 'masterdata-service-10.0.0.7-8083',
	what: 'breaker',
	from: 'CLOSED',
	to: 'OPEN',
	cause: 'responded with 503',
};

const stateChange = z
	.strictObject({
		at: instantDate,
		context: z.string().meta({ description: "A context's name, `discovery` or `gateway`." }),
		instance: z.string().optional(),
		what: z.enum(['breaker', 'health', 'discovery', 'instances']),
		from: z.string(),
		to: z.string(),
		cause: z.string().optional(),
	})
	.meta({ id: 'StateChange', example: exampleChange });

export const healthHistory = z
	.strictObject({ items: z.array(stateChange).max(100) })
	.meta({ id: 'HealthHistory', example: { items: [exampleChange] } });

/** The data of one server-sent event. */
export const healthEvent = z
	.strictObject({ health: combinedHealth, history: z.array(stateChange).max(100), at: instantDate })
	.meta({
		id: 'HealthEvent',
		example: { health: exampleCombined, history: [exampleChange], at: '2026-03-01T08:15:01.000Z' },
	});

const exampleSample = { at: '2026-03-01T08:15:00.000Z', status: 'UP', latencyMs: 3.2 };

const latencySample = z
	.strictObject({
		at: instantDate.meta({ description: 'When the slot begins.' }),
		status: healthStatus.meta({ description: 'The worst of the slot.' }),
		latencyMs: z.number().min(0).nullable().meta({ description: 'The slowest of the slot.' }),
	})
	.meta({ id: 'LatencySample', example: exampleSample });

export type LatencySample = z.output<typeof latencySample>;

export const latencySamples = z
	.strictObject({
		slotMs: z.int().min(1),
		slotsMax: z.int().min(1),
		contexts: z
			.record(z.string(), z.array(latencySample))
			.meta({ description: 'By context, the oldest first; empty without the right to details.' }),
	})
	.meta({
		id: 'LatencySamples',
		example: { slotMs: 10_000, slotsMax: 90, contexts: { masterdata: [exampleSample] } },
	});
