import type { RequestListener } from 'node:http';
import { redisValues } from '@paddock/redis';
import { adjustableLogLevel } from '@paddock/service';
import type { AttachedContexts } from '../attached/attached-contexts.ts';
import { newestExchanges } from '../edge/access-log.ts';
import type { OpenForwarder } from '../forwarder/forwarder.ts';
import { openForwarder } from '../forwarder/undici-forwarder.ts';
import { reportOverride, reportTransition } from '../health/breaker-reports.ts';
import { createHealthHistory, type HealthHistory } from '../health/health-history.ts';
import { memoryCounts, monotonicMs } from '../limits/rate-limit.ts';
import { countOpenSeconds } from '../operations/breaker-open-seconds.ts';
import type { BuildInfo } from '../operations/build-info.ts';
import { type OpenOperationsDeps, openOperations } from '../operations/open-operations.ts';
import type { OperationsDeps } from '../operations/operations-routes.ts';
import {
	type BreakerOverrides,
	type BreakerOverridesDeps,
	openBreakerOverrides,
} from '../upstream/breaker-overrides.ts';
import { type InstanceTable, openInstanceTable } from '../upstream/instance-table.ts';
import { type ObservedInstance, type OpenUpstreamDeps, upstreams } from '../upstream/upstream.ts';
import { observedInstances, observeTransitions } from '../workers/observed-instances.ts';
import type { Workers } from '../workers/workers.ts';
import {
	type ForwardingDeps,
	openPipeline,
	type PipelineDeps,
	type PipelineOptions,
} from './open-pipeline.ts';

export interface OperationsProcessDeps extends PipelineDeps {
	readonly operations: OperationsDeps;
}

export interface GatewayDeps extends ForwardingDeps, OperationsProcessDeps {
	readonly operations: OperationsDeps;
}

/** The listeners of the servers, which the caller composes of its steps. */
export interface Pipelines {
	readonly requests: (deps: GatewayDeps) => RequestListener;
	readonly operations: (
		deps: OperationsProcessDeps,
		isTrusted?: (address: string) => boolean,
	) => RequestListener;
}

export interface OpenGatewayOptions extends PipelineOptions {
	readonly build: BuildInfo;
	readonly advertised: OpenOperationsDeps['advertised'];
	readonly draining: () => boolean;
	/** Monotonic milliseconds; for tests. */
	readonly nowMs?: () => number;
	/** Contexts of CONTEXTS_FILE; none by default. This closes them. */
	readonly attachedContexts?: AttachedContexts | undefined;
	/** Opens the forwarder of an instance; for tests of one implementation. */
	readonly openForwarder?: OpenForwarder;
}

export interface OpenedGateway<Deps extends OperationsProcessDeps = GatewayDeps> {
	readonly deps: Deps;
	/** Ends open streams, so that the shutdown doesn't wait for them. */
	announceClose(): void;
	reloadContexts(): Promise<void>;
	close(): void;
}

const historyMax = 100;

/** Creates the dependencies of the pipeline and starts the background tasks. */
export function openGateway(options: OpenGatewayOptions): OpenedGateway {
	const { config, now, tls, random, openForwarder: open = openForwarder } = options;
	const { table, deps, ...opened } = openProcess(options, undefined, (observed) =>
		openInstanceTable({
			...observed,
			...upstreams({ ...observed, config, now, tls, openForwarder: open }),
		}),
	);
	return { ...opened, deps: { ...deps, table, random } };
}

/** The same for the primary process of several workers, which forwards no requests. */
export function openObserver(
	options: OpenGatewayOptions,
	workers: Workers,
): OpenedGateway<OperationsProcessDeps> {
	return openProcess(options, workers, (observed) => {
		const { contexts, overrides, onTransition } = observed;
		const table = openInstanceTable({
			...observed,
			...observedInstances({ workers, overrides, now: options.now }),
		});
		observeTransitions({ workers, contexts, table, onTransition });
		return table;
	});
}

/** What a table of instances needs of the process. */
type ObservingDeps = Pick<OpenGatewayOptions, 'config' | 'registry'> &
	Pick<PipelineDeps, 'contexts'> &
	Pick<OpenUpstreamDeps, 'mayProbe' | 'onTransition'> & {
		readonly overrides: BreakerOverrides;
		readonly onGone: () => void;
	};

function openProcess<Item extends ObservedInstance>(
	options: OpenGatewayOptions,
	workers: Workers | undefined,
	openTable: (deps: ObservingDeps) => InstanceTable<Item>,
): OpenedGateway<OperationsProcessDeps> & { readonly table: InstanceTable<Item> } {
	const { config, logger, now } = options;
	const pipeline = openPipeline(options, {
		forwards: workers === undefined,
		memory: memoryCounts(options.nowMs ?? monotonicMs),
		forgetSeries: workers?.forgetSeries,
	});
	const history = createHealthHistory({ now, changesMax: historyMax });
	const { table, overrides } = openInstances({ ...options, workers, history }, pipeline, openTable);
	followAttached(options, pipeline, table, overrides);
	const { deps, metrics, prober, sessions, revocations, keysArrived } = pipeline;
	const operations = openOperations({
		...options,
		...deps,
		...{ metrics, prober, sessions, revocations, table, overrides, history, workers },
		exchanges: async () => newestExchanges([pipeline.exchanges(), (await workers?.exchanges()) ?? []]),
		logLevel: adjustableLogLevel({
			...{ name: 'gateway', logger, configuredLevel: config.LOG_LEVEL, now },
			onChange: workers?.setLogLevel,
		}),
		ready: readiness(workers, table, [keysArrived, overrides.loaded]),
	});
	return {
		table,
		deps: { ...deps, operations: operations.deps },
		announceClose: () => operations.health.stream.close(),
		reloadContexts: async () => await options.attachedContexts?.reload(),
		close: () => {
			options.attachedContexts?.close();
			operations.close();
			void overrides.close();
			table.close();
			pipeline.close();
		},
	};
}

function followAttached(
	{ attachedContexts }: OpenGatewayOptions,
	{ deps: { contexts }, mayProbe, followAttached: follow }: ReturnType<typeof openPipeline>,
	table: InstanceTable<ObservedInstance>,
	overrides: BreakerOverrides,
): void {
	follow({
		follow: (contexts) => {
			table.follow(contexts);
			overrides.follow();
		},
	});
	attachedContexts?.start(async (service, instance) => {
		const context = contexts.find((each) => each.service === service);
		// It is being attached.
		if (context === undefined) return true;
		if (table.find(service, instance.id)?.breaker.view().state === 'OPEN') return false;
		return mayProbe(context, instance);
	});
}

function openInstances<Item extends ObservedInstance>(
	options: OpenGatewayOptions & { readonly workers: Workers | undefined; readonly history: HealthHistory },
	{ deps: { contexts }, metrics, mayProbe }: ReturnType<typeof openPipeline>,
	openTable: (deps: ObservingDeps) => InstanceTable<Item>,
): { table: InstanceTable<Item>; overrides: BreakerOverrides } {
	const { config, registry, logger, now, workers, history } = options;
	const settleOpenSeconds = countOpenSeconds({
		registry: metrics.registry,
		now,
		upstreams: () => contexts.flatMap(({ service }) => table.upstreams(service)),
	});
	const reports = { logger, history };
	const overrides = openBreakerOverrides({
		now,
		logger,
		store: overrideStore(options),
		serviceOf: (context) => contexts.find(({ name }) => name === context)?.service,
		onChange: (change) => {
			reportOverride(reports, change);
			settleOpenSeconds();
			workers?.changeOverride(change);
		},
	});
	const onTransition: OpenUpstreamDeps['onTransition'] = (context, instance, transition) => {
		settleOpenSeconds();
		// Workers count their own.
		if (workers === undefined) metrics.countTransition(context.service, transition.from, transition.to);
		reportTransition(reports, context, instance, transition);
	};
	const onGone = settleOpenSeconds;
	const table = openTable({ config, contexts, registry, overrides, mayProbe, onTransition, onGone });
	return { table, overrides };
}

const overridesKey = 'paddock/breaker-overrides';

function overrideStore({
	registry,
	redis,
	random,
	logger,
}: OpenGatewayOptions): BreakerOverridesDeps['store'] {
	if (registry.sharedValues !== undefined)
		return { kind: 'consul', values: registry.sharedValues(overridesKey) };
	if (redis === undefined) return undefined;
	return { kind: 'redis', values: redisValues(redis, overridesKey, { random, logger }) };
}

/** Registry, keys (or their timeout), overrides and a worker are ready. Services wait for the same before they register. */
function readiness(
	workers: Workers | undefined,
	table: InstanceTable<ObservedInstance>,
	parts: readonly Promise<void>[],
): () => boolean {
	let waited = false;
	void Promise.all(parts).then(() => {
		waited = true;
	});
	return () => table.responded() && waited && workers?.ready() !== 0;
}
