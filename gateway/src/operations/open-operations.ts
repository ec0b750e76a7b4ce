import type { Instance, MutualTls } from '@paddock/discovery';
import type { FollowedRevocations, RefreshStatus } from '@paddock/identity';
import type { Redis } from '@paddock/redis';
import type { AttachedContexts } from '../attached/attached-contexts.ts';
import type { Context } from '../contexts/context.ts';
import { ageSeconds } from '../health/discovery-health.ts';
import type { RevocationHealth } from '../health/health-schemas.ts';
import { type OpenedHealth, type OpenHealthDeps, openHealth } from '../health/open-health.ts';
import type { RateLimitHealth } from '../health/shared-state-schemas.ts';
import type { EventLoopDelay } from '../limits/load-shedding.ts';
import type { GatewayMetrics } from '../metrics/metrics.ts';
import { openInternalClient } from '../upstream/internal-client.ts';
import type { BreakerDeps } from './breaker-routes.ts';
import type { BuildInfo } from './build-info.ts';
import type { IntrospectionDeps } from './introspection-routes.ts';
import type { OperationsDeps } from './operations-routes.ts';
import { type OtherGateways, openOtherGateways } from './other-gateways.ts';
import { scrapedGauges, type WorkerProcesses } from './scraped-gauges.ts';
import { openTraffic } from './traffic.ts';

export interface OpenOperationsDeps
	extends Omit<OpenHealthDeps, 'self' | 'contractState'>,
		Pick<BreakerDeps, 'overrides' | 'sessions'>,
		Pick<IntrospectionDeps, 'exchanges' | 'logLevel'> {
	readonly metrics: GatewayMetrics;
	readonly attachedContexts?: AttachedContexts | undefined;
	readonly revocations: FollowedRevocations;
	/** TLS of calls to services and to OPS_PORT of other gateways. */
	readonly tls?: MutualTls | undefined;
	readonly redis?: Redis | undefined;
	readonly eventLoopDelay: EventLoopDelay;
	readonly workers?: WorkerProcesses | undefined;
	readonly build: BuildInfo;
	/** Address of this gateway's operations pages; undefined until it listens. */
	readonly advertised: () => Pick<Instance, 'id' | 'address' | 'port'> | undefined;
	readonly ready: () => boolean;
	readonly draining: () => boolean;
}

interface OpenedOperations {
	readonly deps: OperationsDeps;
	readonly health: OpenedHealth;
	close(): void;
}

/** Of a service's page about its jobs, which queries its database. */
const jobsTimeoutMs = 3_000;

/** Health, gauges and operations pages of the gateway and the services behind it. */
export function openOperations(options: OpenOperationsDeps): OpenedOperations {
	const { config, contexts, metrics, workers, tls } = options;
	// PORT stays plain.
	const gatewayTls = config.OPS_PORT === undefined ? undefined : tls;
	const scrape = async () => workers?.metrics(metrics.registry) ?? metrics.registry;
	const revocations = () => revocationHealth(contexts, options.revocations.status(), options.now());
	const gateways = openOtherGateways({
		registry: options.registry,
		self: options.advertised,
		opsPrefix: config.OPS_PREFIX,
		timeoutMs: config.HEALTH_TIMEOUT_MS,
		tls: gatewayTls,
	});
	const health = openHealth({
		...options,
		contractState: (name) => options.attachedContexts?.states().find(({ context }) => context === name),
		self: () => ({ ...selfOf(options, gateways), revocations: revocations() }),
	});
	const serviceClient = openInternalClient({ timeoutMs: jobsTimeoutMs, socketsMax: 2, tls });
	const traffic = openTraffic({ ...options, scrape });
	scrapedGauges({ ...options, latestHealth: health.latest, listeners: health.stream.listeners, revocations });
	return {
		health,
		deps: {
			...options,
			...health,
			scrape,
			traffic,
			gateways,
			serviceClient,
			access: { detailsArePublic: health.details.detailsArePublic },
		},
		close: () => {
			health.close();
			traffic.close();
			gateways.close();
			serviceClient.close();
		},
	};
}

function selfOf(
	{ build, draining, eventLoopDelay, redis, overrides, workers, attachedContexts }: OpenOperationsDeps,
	gateways: OtherGateways,
) {
	return {
		version: build.application.version,
		uptimeSeconds: Math.round(process.uptime()),
		draining: draining(),
		eventLoopDelayMs: Math.round((workers?.eventLoopDelayMs() ?? eventLoopDelay.currentMs()) * 10) / 10,
		memoryBytes: process.memoryUsage.rss() + (workers?.memoryBytes() ?? 0),
		workers: workers && { configured: workers.size, ready: workers.ready() },
		instance: gateways.self(),
		otherGateways: [...gateways.list()],
		contextsFile:
			attachedContexts?.file === undefined ? undefined : { problems: [...attachedContexts.fileProblems()] },
		rateLimits: { keptIn: rateLimitStore(redis) },
		breakerOverrides: { storedIn: overrides.storedIn, stale: overrides.stale() },
	};
}

/** The state of the revocation feed as health and metrics show it. A deployment without auth has no feed. */
function revocationHealth(
	contexts: readonly Context[],
	{ stale, lastResponseAt }: RefreshStatus,
	now: Date,
): RevocationHealth {
	if (!contexts.some(({ checksSessions }) => checksSessions === true))
		return { stale: false, ageSeconds: null };
	return { stale, ageSeconds: ageSeconds(lastResponseAt, now) };
}

function rateLimitStore(redis: Redis | undefined): RateLimitHealth['keptIn'] {
	if (redis === undefined) return 'memory';
	return redis.available() ? 'redis' : 'redis unavailable: memory';
}
