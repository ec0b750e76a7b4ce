import type { BreakerState } from '@paddock/circuit-breaker';
import type { Redis } from '@paddock/redis';
import { type Aggregator, Gauge, type Registry } from 'prom-client';
import type { Context } from '../contexts.ts';
import type { HealthReading } from '../health/combined-health.ts';
import { ageSeconds } from '../health/discovery-health.ts';
import type { HealthStatus, InstanceHealth, RevocationHealth } from '../health/health-schemas.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { BuildInfo } from './build-info.ts';

/** The workers of this gateway, as the operations pages show them. */
export interface WorkerProcesses {
	/** Number of workers that there should be. */
	readonly size: number;
	/** Number of workers that are ready. */
	ready(): number;
	/** The highest of all workers. */
	eventLoopDelayMs(): number;
	memoryBytes(): number;
	/** The metrics of this process and of all workers. */
	metrics(own: Registry): Promise<Registry>;
}

export interface ScrapedGaugesDeps {
	readonly metrics: GatewayMetrics;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable;
	readonly latestHealth: () => HealthReading | undefined;
	readonly listeners: () => number;
	readonly revocations: () => RevocationHealth;
	readonly redis: Redis | undefined;
	readonly workforce: WorkerProcesses | undefined;
	readonly build: BuildInfo;
	readonly now: () => Date;
}

type Labels = Readonly<Record<string, string>>;
type Samples = readonly (readonly [Labels, number])[];

const stateValue: Readonly<Record<BreakerState, number>> = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 };
const healthStatuses: readonly HealthStatus[] = ['UP', 'DEGRADED', 'DOWN', 'UNKNOWN'];
const instanceStatuses = ['UP', 'DEGRADED', 'DOWN', 'UNKNOWN'] as const;

/** Registers the gauges that are computed at each scrape; series of removed instances disappear. */
export function scrapedGauges(deps: ScrapedGaugesDeps): void {
	const { registry } = deps.metrics;
	const upstreams = () => deps.contexts.flatMap(({ service }) => deps.table.upstreams(service));
	breakerGauges(registry, upstreams);
	healthGauges(registry, deps);
	discoveryGauges(registry, deps);
	revocationGauges(registry, deps);
	redisGauge(registry, deps);
	processGauges(registry, deps);
}

/** A gauge that is computed when it is scraped; `aggregator` merges those of several processes. */
export function gauge(
	registry: Registry,
	name: string,
	help: string,
	labels: string[],
	read: () => Samples,
	aggregator: Aggregator = 'max',
): void {
	new Gauge({
		name: `gateway_${name}`,
		help,
		labelNames: labels,
		registers: [registry],
		aggregator,
		collect() {
			this.reset();
			for (const [of, value] of read()) this.set({ ...of }, value);
		},
	});
}

function breakerGauges(registry: Registry, upstreams: () => readonly Upstream[]): void {
	const names = ['upstream', 'upstream_instance'];
	const each = (value: (upstream: Upstream) => number) => () =>
		upstreams().map(
			(upstream) =>
				[{ upstream: upstream.service, upstream_instance: upstream.instance.id }, value(upstream)] as const,
		);
	gauge(
		registry,
		'circuit_breaker_state',
		'Breaker of an instance: 0 closed, 1 half-open, 2 open.',
		names,
		each(({ breaker }) => stateValue[breaker.view().state]),
	);
	gauge(
		registry,
		'circuit_breaker_forced',
		'1 while an administrator has forced the breaker.',
		names,
		each(({ breaker }) => (breaker.view().forced === undefined ? 0 : 1)),
	);
	gauge(
		registry,
		'upstream_in_flight',
		'Attempts under way at an instance.',
		names,
		each(({ inFlight }) => inFlight),
	);
}

function healthGauges(registry: Registry, { contexts, table, latestHealth }: ScrapedGaugesDeps): void {
	const componentOf = (context: Context) => latestHealth()?.health.components[context.name];
	gauge(
		registry,
		'context_status',
		'1 for the status that a context had when it was last looked at, 0 for the others.',
		['context', 'critical', 'status'],
		() =>
			contexts.flatMap((context) => {
				const current = componentOf(context)?.status ?? 'UNKNOWN';
				const labels = { context: context.name, critical: String(context.critical) };
				return healthStatuses.map((status) => [{ ...labels, status }, status === current ? 1 : 0] as const);
			}),
	);
	gauge(
		registry,
		'instances',
		'Known instances of a service, by the health that they had when they were last asked.',
		['upstream', 'health'],
		() =>
			contexts.flatMap((context) => {
				const component = componentOf(context);
				const asked = component !== undefined && 'instances' in component ? component.instances : [];
				return countsByHealth(context, table.upstreams(context.service), asked);
			}),
	);
}

function countsByHealth(
	{ service }: Context,
	known: readonly Upstream[],
	asked: readonly InstanceHealth[],
): Samples {
	const statusOf = (upstream: Upstream) =>
		asked.find(({ id }) => id === upstream.instance.id)?.status ?? 'UNKNOWN';
	const statuses = known.map(statusOf);
	return instanceStatuses.map(
		(health) =>
			[{ upstream: service, health }, statuses.filter((status) => status === health).length] as const,
	);
}

function discoveryGauges(
	registry: Registry,
	{ contexts, table, latestHealth, now }: ScrapedGaugesDeps,
): void {
	const each = (value: (service: string) => number | undefined) => () =>
		contexts.flatMap(({ service }) => {
			const number = value(service);
			return number === undefined ? [] : [[{ upstream: service }, number] as const];
		});
	const flags = (flag: 'stale' | 'unlisted'): Samples =>
		contexts.map(({ name, service }) => {
			const component = latestHealth()?.health.components[name];
			const isSet = component !== undefined && 'discovery' in component && component.discovery[flag];
			return [{ upstream: service }, isSet ? 1 : 0] as const;
		});
	gauge(
		registry,
		'discovery_age_seconds',
		'Seconds since the registry confirmed the instances.',
		['upstream'],
		each((service) => ageSeconds(table.snapshot(service), now())),
	);
	gauge(
		registry,
		'discovery_stale',
		'1 while the registry does not respond and the instances are the last known ones.',
		['upstream'],
		() => flags('stale'),
	);
	gauge(
		registry,
		'discovery_unlisted',
		'1 while the registry lists no healthy instance and the instances are the last known ones.',
		['upstream'],
		() => flags('unlisted'),
	);
}

function revocationGauges(registry: Registry, { revocations }: ScrapedGaugesDeps): void {
	gauge(
		registry,
		'revocations_age_seconds',
		'Seconds since auth last reported which access tokens are revoked.',
		[],
		() => {
			const { ageSeconds } = revocations();
			return ageSeconds === null ? [] : [[{}, ageSeconds]];
		},
	);
	gauge(registry, 'revocations_stale', '1 while recent revocations may be missing.', [], () => [
		[{}, revocations().stale ? 1 : 0],
	]);
}

function redisGauge(registry: Registry, { redis }: ScrapedGaugesDeps): void {
	gauge(
		registry,
		'redis_unavailable',
		'1 while the gateway uses its own memory in place of Redis.',
		[],
		() => [[{}, redis?.available() === false ? 1 : 0]],
	);
}

function processGauges(registry: Registry, deps: ScrapedGaugesDeps): void {
	const one = (name: string, help: string, value: () => number) =>
		gauge(registry, name, help, [], () => [[{}, value()]]);
	const { workforce } = deps;
	if (workforce !== undefined) {
		one('workers', 'Configured worker processes.', () => workforce.size);
		one('workers_ready', 'Worker processes that are ready.', workforce.ready);
	}
	one('health_listeners', 'Clients of the health stream.', deps.listeners);
	const { application, git, node } = deps.build;
	const labels = { version: application.version, commit: git.commit ?? '', node: node.version };
	gauge(registry, 'build_info', 'What is running; always 1.', Object.keys(labels), () => [[labels, 1]]);
}
