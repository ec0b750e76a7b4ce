import type { Redis } from '@paddock/redis';
import type { BreakerState } from '@paddock/resilience';
import type { Registry } from 'prom-client';
import type { AttachedContexts } from '../attached/attached-contexts.ts';
import type { GatewayConfig } from '../config/config.ts';
import type { Context } from '../contexts/context.ts';
import type { HealthReading } from '../health/combined-health.ts';
import { ageSeconds } from '../health/discovery-health.ts';
import type { HealthStatus, InstanceHealth, RevocationHealth } from '../health/health-schemas.ts';
import type { EventLoopDelay } from '../limits/load-shedding.ts';
import { type AddGauge, type GatewayMetrics, gaugesIn, type Samples } from '../metrics/metrics.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { ObservedInstance } from '../upstream/upstream.ts';
import type { Workers } from '../workers/workers.ts';
import type { BuildInfo } from './build-info.ts';

export type WorkerProcesses = Pick<
	Workers,
	'size' | 'ready' | 'eventLoopDelayMs' | 'memoryBytes' | 'metrics'
>;

interface ScrapedGaugesDeps {
	readonly metrics: GatewayMetrics;
	readonly contexts: readonly Context[];
	readonly attachedContexts?: AttachedContexts | undefined;
	readonly table: InstanceTable<ObservedInstance>;
	readonly latestHealth: () => HealthReading | undefined;
	readonly listeners: () => number;
	readonly revocations: () => RevocationHealth;
	readonly redis?: Redis | undefined;
	readonly workers?: WorkerProcesses | undefined;
	readonly build: BuildInfo;
	readonly now: () => Date;
}

const stateValue: Readonly<Record<BreakerState, number>> = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 };
const healthStatuses: readonly HealthStatus[] = ['UP', 'DEGRADED', 'DOWN', 'UNKNOWN'];

/** Registers the gauges that are computed at each scrape; series of removed instances disappear. */
export function scrapedGauges(deps: ScrapedGaugesDeps): void {
	const gauge = gaugesIn(deps.metrics.registry);
	breakerGauges(gauge, deps);
	healthGauges(gauge, deps);
	discoveryGauges(gauge, deps);
	const { revocations, redis } = deps;
	gauge(
		'revocations_age_seconds',
		'Seconds since auth last reported which access tokens are revoked.',
		() => revocations().ageSeconds ?? [],
	);
	gauge('revocations_stale', '1 while recent revocations may be missing.', () => Number(revocations().stale));
	gauge('redis_unavailable', '1 while the gateway uses its own memory in place of Redis.', () =>
		Number(redis?.available() === false),
	);
	contractGauges(gauge, deps);
	processGauges(gauge, deps);
}

export function loadGauges(registry: Registry, config: GatewayConfig, eventLoopDelay: EventLoopDelay): void {
	const gauge = gaugesIn(registry);
	gaugesIn(registry, 'sum')(
		'requests_in_flight_max',
		'Limit of requests in flight; further ones are refused.',
		() => config.IN_FLIGHT_MAX,
	);
	gauge(
		'event_loop_delay_seconds',
		'Event-loop delay: the lower of the last two means of half a second.',
		() => eventLoopDelay.currentMs() / 1000,
	);
	gauge(
		'event_loop_delay_max_seconds',
		'Limit of the event-loop delay; above it requests are refused.',
		() => config.EVENT_LOOP_DELAY_MAX_MS / 1000,
	);
}

function breakerGauges(gauge: AddGauge, { contexts, table }: ScrapedGaugesDeps): void {
	const each = (name: string, help: string, value: (upstream: ObservedInstance) => number) => {
		const samples = () =>
			contexts
				.flatMap(({ service }) => table.upstreams(service))
				.map((upstream) => {
					const labels = { upstream: upstream.service, upstream_instance: upstream.instance.id };
					return [labels, value(upstream)] as const;
				});
		gauge(name, help, samples, ['upstream', 'upstream_instance']);
	};
	each(
		'circuit_breaker_state',
		'Breaker of an instance: 0 closed, 1 half-open, 2 open.',
		({ breaker }) => stateValue[breaker.view().state],
	);
	each('circuit_breaker_forced', '1 while an administrator has forced the breaker.', ({ breaker }) =>
		Number(breaker.view().forced !== undefined),
	);
	each('upstream_in_flight', 'Attempts under way at an instance.', ({ inFlight }) => inFlight);
}

function healthGauges(gauge: AddGauge, { contexts, table, latestHealth }: ScrapedGaugesDeps): void {
	const componentOf = (context: Context) => latestHealth()?.health.components[context.name];
	gauge(
		'context_status',
		'1 for the status that a context had when it was last looked at, 0 for the others.',
		() =>
			contexts.flatMap((context) => {
				const current = componentOf(context)?.status ?? 'UNKNOWN';
				const labels = { context: context.name, critical: String(context.critical) };
				return healthStatuses.map((status) => [{ ...labels, status }, Number(status === current)] as const);
			}),
		['context', 'critical', 'status'],
	);
	gauge(
		'instances',
		'Known instances of a service, by the health at their last probe.',
		() =>
			contexts.flatMap((context) => {
				const component = componentOf(context);
				const probed = component !== undefined && 'instances' in component ? component.instances : [];
				return countsByHealth(context, table.upstreams(context.service), probed);
			}),
		['upstream', 'health'],
	);
}

function countsByHealth(
	{ service }: Context,
	known: readonly ObservedInstance[],
	probed: readonly InstanceHealth[],
): Samples {
	const statusOf = (upstream: ObservedInstance) =>
		probed.find(({ id }) => id === upstream.instance.id)?.status ?? 'UNKNOWN';
	const statuses = known.map(statusOf);
	return healthStatuses.map(
		(health) =>
			[{ upstream: service, health }, statuses.filter((status) => status === health).length] as const,
	);
}

function discoveryGauges(gauge: AddGauge, { contexts, table, latestHealth, now }: ScrapedGaugesDeps): void {
	const each = (name: string, help: string, value: (context: Context) => number | null) => {
		const samples = () =>
			contexts.flatMap((context) => {
				const number = value(context);
				return number === null ? [] : [[{ upstream: context.service }, number] as const];
			});
		gauge(name, help, samples, ['upstream']);
	};
	const isSet = ({ name }: Context, flag: 'stale' | 'unlisted'): number => {
		const component = latestHealth()?.health.components[name];
		return Number(component !== undefined && 'discovery' in component && component.discovery[flag]);
	};
	each('discovery_age_seconds', 'Seconds since the registry confirmed the instances.', ({ service }) =>
		ageSeconds(table.snapshot(service).lastResponseAt, now()),
	);
	each(
		'discovery_stale',
		'1 while the registry does not respond and the instances are the last known ones.',
		(context) => isSet(context, 'stale'),
	);
	each(
		'discovery_unlisted',
		'1 while the registry lists no healthy instance and the instances are the last known ones.',
		(context) => isSet(context, 'unlisted'),
	);
}

function contractGauges(gauge: AddGauge, { attachedContexts, now }: ScrapedGaugesDeps): void {
	if (attachedContexts?.file === undefined) return;
	gauge('contexts_file_invalid', '1 while CONTEXTS_FILE is not valid, and the former one is used.', () =>
		Number(attachedContexts.fileProblems().length > 0),
	);
	gauge(
		'contract_problem',
		'1 while the contract of an attached context can not be used, and the former one is, or none.',
		() =>
			attachedContexts.states().map(({ context, problems }) => [{ context }, Number(problems.length > 0)]),
		['context'],
	);
	gauge(
		'contract_age_seconds',
		'Seconds since the source of a contract has confirmed it.',
		() =>
			attachedContexts.states().flatMap(({ context, confirmedAt }) => {
				const age = ageSeconds(confirmedAt, now());
				return age === null ? [] : [[{ context }, age] as const];
			}),
		['context'],
	);
}

function processGauges(gauge: AddGauge, { workers, listeners, build }: ScrapedGaugesDeps): void {
	if (workers !== undefined) {
		gauge('workers', 'Configured worker processes.', () => workers.size);
		gauge('workers_ready', 'Worker processes that are ready.', workers.ready);
	}
	gauge('health_listeners', 'Clients of the health stream.', listeners);
	const { application, git, node } = build;
	const labels = { version: application.version, commit: git.commit ?? '', node: node.version };
	gauge('build_info', 'Version, commit and Node.js; always 1.', () => [[labels, 1]], Object.keys(labels));
}
