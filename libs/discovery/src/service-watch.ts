import { startRetryLoop } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import { checkEntries, type IsForbidden, type RegistryEntry } from './check-entries.ts';
import type { InstanceStore } from './instance-store.ts';
import { createLastKnown, sameSnapshot } from './last-known.ts';
import type { ServiceSnapshot, Watch } from './registry.ts';

/** The single query of a service, shared by all its observers. */
export interface ServiceWatch extends Omit<Watch, 'stop'> {
	stop(): Promise<void>;
}

/** Timing of the queries, in milliseconds. */
export interface WatchSettings {
	/** Minimum interval between the starts of two queries of one watch. */
	pauseMs: number;
	/** Delay before the first retry; doubled by each further failure. */
	backoffMinMs: number;
	/** Longest delay between two attempts; bounds the time to detect a recovered registry. */
	backoffMaxMs: number;
	/** Period for which the last known instances are used after the registry stopped confirming them. */
	keepLastKnownMs: number;
}

export const watchDefaults = { backoffMinMs: 200, backoffMaxMs: 5_000, keepLastKnownMs: 600_000 };

export type RegistryQuery = (signal: AbortSignal) => Promise<readonly RegistryEntry[]>;

interface ServiceWatchDeps {
	service: string;
	query: RegistryQuery;
	settings: WatchSettings;
	isForbidden: IsForbidden;
	store: InstanceStore | undefined;
	logger: Logger;
	now: () => Date;
	random: () => number;
}

/** Queries a registry for the instances of a service until stopped, and notifies the listeners of changes. */
export function startServiceWatch(deps: ServiceWatchDeps): ServiceWatch {
	const { service, settings, store, logger } = deps;
	const lastKnown = createLastKnown({
		now: deps.now,
		keepLastKnownMs: settings.keepLastKnownMs,
		restored: store?.restore(service),
	});
	const listeners = new Set<(snapshot: ServiceSnapshot) => void>();
	const refusalLog = createRefusalLog(service, logger);
	let reported = lastKnown.snapshot();
	let failing = false;

	function notify(cause: string): void {
		const snapshot = lastKnown.snapshot();
		if (sameSnapshot(reported, snapshot)) return;
		const changed = {
			upstream: service,
			cause,
			stale: snapshot.stale,
			unlisted: snapshot.unlisted,
			instances: snapshot.instances.map(({ url }) => url),
		};
		reported = snapshot;
		logger.log(snapshot.stale ? 'warn' : 'info', 'instances changed', changed);
		for (const listener of listeners) callListener(listener, snapshot, logger);
	}

	async function step(signal: AbortSignal): Promise<number> {
		const { instances, refusals } = checkEntries(await deps.query(signal), (address, port) =>
			deps.isForbidden(address, port, service),
		);
		if (failing) logger.info('registry responds again', { upstream: service });
		failing = false;
		refusalLog(refusals);
		lastKnown.accept(instances, refusals.length);
		const { stale, lastResponseAt: confirmedAt, instances: accepted } = lastKnown.snapshot();
		if (!stale && confirmedAt !== undefined) store?.record(service, { instances: accepted, confirmedAt });
		notify(instances.length > 0 ? 'response' : 'no usable instance in the response');
		return 0;
	}

	const loop = startRetryLoop({
		step,
		onFailure: (error) => {
			if (!failing) logger.warn('registry query failed', { upstream: service, error });
			failing = true;
			lastKnown.fail();
			notify('no response');
		},
		periodMinMs: settings.pauseMs,
		backoffMinMs: settings.backoffMinMs,
		backoffMaxMs: settings.backoffMaxMs,
		random: deps.random,
	});

	return {
		current: () => lastKnown.snapshot(),
		responded: () => lastKnown.responded(),
		onChange: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		stop: () => {
			listeners.clear();
			return loop.stop();
		},
	};
}

/** An exception in a listener is logged; it must not stop the query or the other listeners. */
function callListener(
	listener: (snapshot: ServiceSnapshot) => void,
	snapshot: ServiceSnapshot,
	logger: Logger,
): void {
	try {
		listener(snapshot);
	} catch (error) {
		logger.error('a listener for instances failed', { error });
	}
}

/** Logs refused entries only when they change, not with every response. */
function createRefusalLog(service: string, logger: Logger): (refusals: readonly string[]) => void {
	let logged = '';
	return (refusals) => {
		const text = refusals.join('\n');
		if (text !== logged && refusals.length > 0)
			logger.warn('registry entries refused', { upstream: service, refusals });
		logged = text;
	};
}
