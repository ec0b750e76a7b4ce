import { z } from 'zod';
import { breaker } from './breaker-schemas.ts';
import { sharedStateFields } from './shared-state-schemas.ts';

export const healthStatus = z.enum(['UP', 'DEGRADED', 'DOWN', 'UNKNOWN']).meta({
	id: 'HealthStatus',
	description: 'DEGRADED: usable with losses. UNKNOWN: without a health endpoint.',
});
const healthReason = z
	.enum(['NO_INSTANCES', 'NO_HEALTH_ENDPOINT', 'ERROR', 'TIMEOUT', 'CIRCUIT_OPEN', 'CONTRACT_PROBLEM'])
	.meta({ id: 'HealthReason', description: 'Reason why the status is not UP.' });
const stale = z.boolean().describe('Whether the data may be outdated.');
const latencyMs = z.number().min(0).describe('Duration of the last health probe in milliseconds.');
const age = z.number().min(0).nullable();
const registryAge = age.describe('Seconds since the registry confirmed the instances; null if it never did.');
const statusCode = z.int().optional().describe('HTTP status of the health response if it was not 200.');
const message = z.string().optional().describe('Details for operators; absent without any.');

export type HealthStatus = z.output<typeof healthStatus>;

const draining = z.boolean().describe('Whether the process finishes its requests before it stops.');

export const liveness = z
	.strictObject({ status: healthStatus })
	.meta({ id: 'Liveness', description: 'Liveness of the process.' });

export const readiness = z.strictObject({ status: healthStatus, draining }).meta({
	id: 'Readiness',
	description: 'Whether the process accepts traffic.',
	example: { status: 'UP', draining: false },
});

const dependencyHealth = z
	.strictObject({
		status: healthStatus,
		details: z
			.strictObject({ error: z.string().optional().describe('Cause of the failure.') })
			.optional()
			.meta({ id: 'DependencyDetails', description: 'Cause; absent for a dependency that works.' }),
	})
	.meta({
		id: 'DependencyHealth',
		description: 'Health of a dependency, as the instance reports it.',
		example: { status: 'DOWN', details: { error: 'connection refused' } },
	});

export type DependenciesHealth = Readonly<Record<string, z.output<typeof dependencyHealth>>>;

const dependencies = z
	.record(z.string(), dependencyHealth)
	.optional()
	.meta({ description: 'Dependencies by name, such as `database`; absent if no instance reports any.' });

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
		id: z.string().describe('Id in the registry.'),
		address: z.string().describe('Host and port.'),
		status: healthStatus,
		reason: healthReason.optional(),
		statusCode,
		message,
		components: dependencies,
		latencyMs,
		inFlight: z.int().min(0).describe('Requests that this gateway has in flight to it.'),
		breaker,
		peers: z
			.record(
				z.string(),
				z
					.enum(['OPEN', 'HALF_OPEN'])
					.meta({ id: 'PeerBreakerState', description: 'State of a breaker that is not closed.' }),
			)
			.optional()
			.meta({
				description:
					'Breakers of this instance for other services, by service, that are not closed; absent if all are.',
			}),
	})
	.meta({ id: 'InstanceHealth', description: 'Health of one instance.', example: exampleInstance });

const exampleService = {
	status: 'UP',
	critical: true,
	latencyMs: 3.4,
	instances: [exampleInstance],
	discovery: { stale: false, unlisted: false, ageSeconds: 1.2, rejected: 0 },
};

const serviceHealth = z
	.strictObject({
		status: healthStatus,
		critical: z.boolean().describe('Whether the system is DOWN without it.'),
		reason: healthReason.optional(),
		statusCode,
		message,
		components: dependencies,
		latencyMs: latencyMs.optional(),
		instances: z.array(instanceHealth).describe('All known instances.'),
		discovery: z
			.strictObject({
				stale: stale.describe('Whether the registry does not respond; the last known instances are used.'),
				unlisted: z
					.boolean()
					.describe('Whether the registry lists no healthy instance; the last known instances are used.'),
				ageSeconds: registryAge,
				rejected: z.int().min(0).describe('Entries of the registry that are not valid.'),
			})
			.meta({ id: 'InstanceDiscovery', description: 'Age of the list of instances.' }),
	})
	.describe('Health of one context.');

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
		kind: z
			.enum(['consul', 'dns', 'kubernetes', 'static'])
			.meta({ id: 'DiscoveryKind', description: 'Source of the instances.' }),
		leader: z.string().nullable().describe('Address of Consul’s leader; null without one.'),
		ageSeconds: registryAge,
		stale,
		message,
	})
	.describe('Health of service discovery.');

const exampleGateway = {
	status: 'UP',
	version: '0.1.0',
	uptimeSeconds: 86_400,
	draining: false,
	eventLoopDelayMs: 0.3,
	memoryBytes: 120_000_000,
	revocations: { stale: false, ageSeconds: 0.8 },
	instance: { id: 'gateway-10.0.0.2-8080', address: '10.0.0.2:8080' },
	otherGateways: [{ id: 'gateway-10.0.0.3-8080', address: '10.0.0.3:8080' }],
	rateLimits: { keptIn: 'redis' },
	breakerOverrides: { storedIn: 'consul', stale: false },
};

export type DiscoveryHealth = z.output<typeof discoveryHealth>;

const revocationHealth = z
	.strictObject({
		stale,
		ageSeconds: age.describe('Seconds since auth last confirmed the list; null if it never did.'),
	})
	.meta({ id: 'RevocationHealth', description: 'Age of the list of revoked access tokens.' });

export type RevocationHealth = z.output<typeof revocationHealth>;

const gatewayHealth = z
	.strictObject({
		status: healthStatus,
		version: z.string().describe('Version of the gateway.'),
		uptimeSeconds: z.number().min(0).describe('Seconds since the process started.'),
		draining,
		eventLoopDelayMs: z
			.number()
			.min(0)
			.describe('Delay of the event loop in milliseconds; the highest of all workers.'),
		memoryBytes: z.int().min(0).describe('Resident memory in bytes, of all workers together.'),
		revocations: revocationHealth,
		workers: z
			.strictObject({
				configured: z.int().min(1).describe('Number of workers that there should be.'),
				ready: z.int().min(0).describe('Number of workers that are ready.'),
			})
			.meta({ id: 'WorkersHealth', description: 'Worker processes; absent for a single process.' })
			.optional(),
		contextsFile: z
			.strictObject({
				problems: z.array(z.string()).describe('Why the present file is not used; empty if it is.'),
			})
			.meta({ id: 'ContextsFileHealth', description: '`CONTEXTS_FILE`; absent without it.' })
			.optional(),
		...sharedStateFields,
	})
	.describe('Health of this gateway.');

export type GatewayHealth = z.output<typeof gatewayHealth>;

const briefHealth = z.strictObject({ status: healthStatus }).meta({
	id: 'BriefHealth',
	description: 'Health for callers who may not see details.',
});

/** One component; by the caller's rights in full or in brief. */
export const component = z.union([serviceHealth, discoveryHealth, gatewayHealth, briefHealth]).meta({
	id: 'ComponentHealth',
	description:
		'Health of a context, of discovery or of the gateway; `status` alone for callers who may not see details.',
	example: exampleService,
});

export const combinedHealth = z
	.strictObject({
		status: healthStatus,
		components: z.record(z.string(), component).describe('By context; also `discovery` and `gateway`.'),
	})
	.meta({
		id: 'CombinedHealth',
		description: 'Health of the whole system.',
		example: {
			status: 'UP',
			components: { masterdata: exampleService, discovery: exampleDiscovery, gateway: exampleGateway },
		},
	});
