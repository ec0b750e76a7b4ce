import { startRetryLoop } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import type { ConsulClient } from './consul-client.ts';
import { checkEntries, type IsForbidden } from './consul-entries.ts';
import type { ConsulSettings } from './consul-settings.ts';
import { createLastKnown, sameSnapshot } from './last-known.ts';
import type { ServiceSnapshot, Watch } from './registry.ts';

/** The single query of a service, shared by all its observers. */
export interface ServiceWatch extends Omit<Watch, 'stop'> {
	stop(): Promise<void>;
}

export interface ServiceWatchDeps {
	service: string;
	client: ConsulClient;
	settings: ConsulSettings;
	isForbidden: IsForbidden;
	logger: Logger;
	now: () => Date;
	random: () => number;
}

/** Queries Consul for the passing instances of a service until stopped, and notifies the listeners of changes. */
export function startServiceWatch(deps: ServiceWatchDeps): ServiceWatch {
	const { service, client, settings, logger } = deps;
	const lastKnown = createLastKnown({ now: deps.now, keepLastKnownMs: settings.keepLastKnownMs });
	const listeners = new Set<(snapshot: ServiceSnapshot) => void>();
	const refusalLog = createRefusalLog(service, logger);
	let told = lastKnown.snapshot();
	let index = 0n;
	let failing = false;

	function tell(cause: string): void {
		const snapshot = lastKnown.snapshot();
		if (sameSnapshot(told, snapshot)) return;
		const changed = {
			upstream: service,
			cause,
			stale: snapshot.stale,
			unlisted: snapshot.unlisted,
			instances: snapshot.instances.map(({ url }) => url),
		};
		told = snapshot;
		logger.log(snapshot.stale ? 'warn' : 'info', 'instances changed', changed);
		for (const listener of listeners) callListener(listener, snapshot, logger);
	}

	async function step(signal: AbortSignal): Promise<number> {
		const response = await client.passingEntries(service, { index, waitMs: settings.waitMs }, signal);
		index = nextIndex(index, response.index);
		const { instances, refusals } = checkEntries(response.entries, (address, port) =>
			deps.isForbidden(address, port, service),
		);
		if (failing) logger.info('registry responds again', { upstream: service });
		failing = false;
		refusalLog(refusals);
		lastKnown.accept(instances, refusals.length);
		tell(instances.length > 0 ? 'response' : 'no usable instance in the response');
		return 0;
	}

	const loop = startRetryLoop({
		step,
		onFailure: (error) => {
			// The next query must not block: its response shows that Consul has recovered.
			index = 0n;
			if (!failing) logger.warn('registry query failed', { upstream: service, error });
			failing = true;
			lastKnown.fail();
			tell('no response');
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

/**
 * The index for the next query: 0, which doesn't block, if the index went backwards (Consul was restarted or restored)
 * or isn't above 0. https://developer.hashicorp.com/consul/api-docs/features/blocking#implementation-details
 */
export function nextIndex(previous: bigint, responded: bigint): bigint {
	return responded <= 0n || responded < previous ? 0n : responded;
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
