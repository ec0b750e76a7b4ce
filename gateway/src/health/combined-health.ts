import type { Registry } from '@paddock/discovery';
import type { Context } from '../contexts/context.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import { closedForMaintenance } from '../upstream/override-table.ts';
import type { ObservedInstance } from '../upstream/upstream.ts';
import {
	ageSeconds,
	discoveryHealth,
	type ListedService,
	type Listing,
	withListings,
} from './discovery-health.ts';
import type {
	DependenciesHealth,
	DiscoveryHealth,
	GatewayHealth,
	HealthStatus,
	InstanceHealth,
	ServiceHealth,
} from './health-schemas.ts';
import type { Probe, ProbeResult, Prober } from './probe.ts';

export type ComponentHealth = ServiceHealth | DiscoveryHealth | GatewayHealth;

export interface CombinedHealth {
	readonly status: HealthStatus;
	/** By context name, plus `discovery` and `gateway`. */
	readonly components: Readonly<Record<string, ComponentHealth>>;
}

interface HealthDeps {
	/** The configured contexts, not the registry's catalogue: a missing service must be visible. */
	readonly contexts: readonly Context[];
	readonly table: InstanceTable<ObservedInstance>;
	readonly registry: Registry;
	readonly prober: Prober;
	readonly now: () => Date;
	/** How long the result of a round is reused, so that health requests can't multiply load. */
	readonly sharedMs: number;
	readonly self: () => Omit<GatewayHealth, 'status'>;
	/** Of an attached context; none by default. */
	readonly contractState?: (context: string) => ContractHealth | undefined;
	readonly onProbe?: (upstream: ObservedInstance, probe: Probe & { readonly startedAt: number }) => void;
	/** Called with the result of every round, before its callers receive it. */
	readonly onRound?: (reading: HealthReading) => void;
}

/** Whether the contract of an attached context is known, and is the one that its source has now. */
export interface ContractHealth {
	readonly hash: string | undefined;
	readonly problems: readonly string[];
}

export interface HealthReading {
	readonly health: CombinedHealth;
	readonly at: Date;
}

export interface HealthView {
	read(): Promise<HealthReading>;
}

/** Combined health: probes all instances in parallel; one round serves all callers during it and shortly after. */
export function createHealthView(deps: HealthDeps): HealthView {
	let shared: Round | undefined;
	const isFresh = ({ endedAt, sharedMs }: Round): boolean => {
		if (endedAt === undefined) return true;
		const ageMs = deps.now().getTime() - endedAt.getTime();
		// If the clock was set back, this round must not be reused until it catches up.
		return ageMs >= 0 && ageMs < sharedMs;
	};
	return {
		read: () => {
			if (shared !== undefined && isFresh(shared)) return shared.result;
			const round: Round = { result: readRound(deps), endedAt: undefined, sharedMs: 0 };
			shared = round;
			const end = (sharedMs: number) => () => {
				round.endedAt = deps.now();
				round.sharedMs = sharedMs;
			};
			round.result.then(end(deps.sharedMs), end(0));
			return round.result;
		},
	};
}

interface Round {
	readonly result: Promise<HealthReading>;
	/** Undefined while the round is running. */
	endedAt: Date | undefined;
	sharedMs: number;
}

async function readRound(deps: HealthDeps): Promise<HealthReading> {
	const health = await readAll(deps);
	const reading = { health, at: deps.now() };
	deps.onRound?.(reading);
	return reading;
}

async function readAll(deps: HealthDeps): Promise<CombinedHealth> {
	const probed = await Promise.all(deps.contexts.map((context) => probeService(deps, context)));
	const now = deps.now();
	const listed = withListings(probed);
	const services = listed.map((service) => {
		const { name } = service.context;
		const health = serviceHealth(service.context, service, now);
		return [name, withContract(health, deps.contractState?.(name))] as const;
	});
	const discovery = discoveryHealth(deps.registry.status(), listed, now);
	const self = deps.self();
	const impaired = isImpaired(self);
	const gateway: GatewayHealth = { status: impaired || self.draining ? 'DEGRADED' : 'UP', ...self };
	const healths = services.map(([, health]) => health);
	return {
		status: overallStatus(healths, impaired || discovery.status !== 'UP'),
		components: { ...Object.fromEntries(services), discovery, gateway },
	};
}

async function probeService(deps: HealthDeps, context: Context) {
	const upstreams = deps.table.upstreams(context.service);
	const instances = await Promise.all(
		upstreams.map(async (upstream) => {
			const startedAt = performance.now();
			const probe = await deps.prober.probe(context, upstream.instance.url);
			deps.onProbe?.(upstream, { ...probe, startedAt });
			return instanceHealth(upstream, probe.result);
		}),
	);
	return { context, instances, snapshot: deps.table.snapshot(context.service) };
}

/** Without a contract no request is forwarded; with an outdated one those that it describes are. */
function withContract(health: ServiceHealth, contract: ContractHealth | undefined): ServiceHealth {
	if (contract === undefined || health.status === 'DOWN') return health;
	const [problem] = contract.problems;
	if (contract.hash === undefined) {
		const message = `No contract is known: ${problem ?? 'it has not been read yet'}`;
		return { ...health, status: 'DOWN', reason: 'CONTRACT_PROBLEM', message };
	}
	if (problem === undefined || health.status !== 'UP') return health;
	const message = `The former contract is used: ${problem}`;
	return { ...health, status: 'DEGRADED', reason: 'CONTRACT_PROBLEM', message };
}

/** A critical context without a usable instance = DOWN; anything else that isn't UP = DEGRADED. */
function overallStatus(services: readonly ServiceHealth[], degraded: boolean): HealthStatus {
	if (services.some(({ critical, status }) => critical && status === 'DOWN')) return 'DOWN';
	return degraded || services.some(({ status }) => status !== 'UP') ? 'DEGRADED' : 'UP';
}

/** The revocations are stale, Redis is lost, a worker is missing, or CONTEXTS_FILE is not valid. */
function isImpaired({
	revocations,
	rateLimits,
	workers,
	contextsFile,
}: Omit<GatewayHealth, 'status'>): boolean {
	const lacksWorkers = workers !== undefined && workers.ready < workers.configured;
	if (contextsFile !== undefined && contextsFile.problems.length > 0) return true;
	return revocations.stale || rateLimits.keptIn === 'redis unavailable: memory' || lacksWorkers;
}

function instanceHealth(upstream: ObservedInstance, probe: ProbeResult): InstanceHealth {
	const { instance, breaker, inFlight } = upstream;
	const view = breaker.view();
	const known = { id: instance.id, address: `${instance.address}:${instance.port}`, inFlight, breaker: view };
	// It may respond to health probes, but gets no requests.
	if (view.state === 'OPEN' && (probe.status !== 'DOWN' || view.forced !== undefined)) {
		return {
			...probe,
			...known,
			status: 'DOWN',
			reason: 'CIRCUIT_OPEN',
			message:
				view.forced === undefined ? 'Requests fail; the breaker is open' : closedForMaintenance(view.forced),
		};
	}
	if (view.state === 'HALF_OPEN' && probe.status === 'UP') {
		return {
			...probe,
			...known,
			status: 'DEGRADED',
			reason: 'CIRCUIT_OPEN',
			message: 'Breaker half-open; one request at a time until one succeeds',
		};
	}
	if (view.state === 'OPEN') return { ...probe, ...known, message: `${probe.message}; it gets no requests` };
	return { ...probe, ...known };
}

/** One context from its instances: all usable = UP, none = DOWN, otherwise DEGRADED, as are unlisted ones, which are dropped soon. */
function serviceHealth(
	context: Context,
	{ instances, snapshot, listing }: ListedService & { readonly listing: Listing },
	now: Date,
): ServiceHealth {
	const discovery = {
		stale: listing === 'STALE',
		unlisted: listing === 'UNLISTED',
		ageSeconds: ageSeconds(snapshot.lastResponseAt, now),
		rejected: snapshot.rejected,
	};
	const base = {
		critical: context.critical,
		...mergedComponents(instances),
		instances: [...instances],
		discovery,
	};
	if (instances.length === 0) {
		return { ...base, status: 'DOWN', reason: 'NO_INSTANCES', message: noneListed };
	}
	const latencyMs = Math.max(...instances.map((instance) => instance.latencyMs));
	const bad = instances.find((instance) => instance.status !== 'UP');
	if (bad === undefined && discovery.unlisted) {
		const message = `${noneListed}; the last known ones are used`;
		return { ...base, status: 'DEGRADED', reason: 'NO_INSTANCES', message, latencyMs };
	}
	if (bad === undefined) return { ...base, status: 'UP', latencyMs };
	const { reason, statusCode, message } = bad;
	return { ...base, status: statusOf(instances), latencyMs, reason, statusCode, message };
}

const noneListed = 'The registry lists no healthy instance';

/** By name; a dependency that fails for one instance has the status of that instance. */
function mergedComponents(instances: readonly InstanceHealth[]): { components?: DependenciesHealth } {
	const all = instances.flatMap(({ components }) => Object.entries(components ?? {}));
	if (all.length === 0) return {};
	const failing = all.filter(([, { status }]) => status !== 'UP');
	return { components: { ...Object.fromEntries(all), ...Object.fromEntries(failing) } };
}

function statusOf(instances: readonly InstanceHealth[]): HealthStatus {
	if (instances.every(({ status }) => status === 'DOWN')) return 'DOWN';
	if (instances.every(({ status }) => status === 'UNKNOWN')) return 'UNKNOWN';
	return 'DEGRADED';
}
