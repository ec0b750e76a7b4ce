import type { Registry } from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import type { BirpcReturn } from 'birpc';
import type { AttachedEntry } from '../attached/prepared-contexts.ts';
import { type OverrideTable, openOverrideTable } from '../upstream/override-table.ts';
import {
	type ChangedState,
	ignoreClosed,
	openChannel,
	type PagesAddress,
	type PrimaryFunctions,
	type Welcome,
	type WorkerFunctions,
} from './channel.ts';
import type { MetricValues } from './merged-metrics.ts';
import { primaryRegistry } from './primary-registry.ts';

// A machine that starts many processes at once may take seconds to respond.
const joinAttemptsMax = 20;

type ServedFunctions = Pick<WorkerFunctions, 'moveConnections' | 'metrics' | 'exchanges' | 'trip' | 'reset'>;

export interface PrimaryLink {
	readonly primary: BirpcReturn<PrimaryFunctions, WorkerFunctions>;
	readonly registry: Registry;
	readonly overrides: Pick<OverrideTable, 'of'>;
	readonly pages: PagesAddress | undefined;
	readonly attached: {
		entries(): readonly AttachedEntry[];
		/** One listener. */
		onChange(listener: (entries: readonly AttachedEntry[]) => void): void;
	};
	/** Responds to calls of the primary process. */
	serve(functions: ServedFunctions): void;
	leave(metrics: MetricValues): Promise<void>;
}

/** Joins the primary process that has started this worker. @throws Error if it does not respond */
export async function joinPrimary(deps: { logger: Logger; now: () => Date }): Promise<PrimaryLink> {
	const { logger, now } = deps;
	// The primary process reports the changes.
	const overrides = openOverrideTable({ now, onChange: () => undefined });
	const attached = receivedEntries();
	let served: ServedFunctions | undefined;
	const apply = ({ overrides: changes, attached: entries, logLevel }: ChangedState): void => {
		if (changes !== undefined) overrides.apply(changes);
		if (entries !== undefined) attached.accept(entries);
		if (logLevel !== undefined) logger.level = logLevel;
	};
	// Before the response to `join`, which may be older, has been read.
	let early: [state: ChangedState, change: number][] | undefined = [];
	const primary = openChannel<PrimaryFunctions, WorkerFunctions>(process, {
		instances: (service, snapshot) => report(service, snapshot),
		changed: (state, change) => {
			if (early === undefined) apply(state);
			else early.push([state, change]);
		},
		trip: (...of) => served?.trip(...of),
		reset: (...of) => served?.reset(...of),
		moveConnections: (count) => served?.moveConnections(count),
		metrics: async () => (await served?.metrics()) ?? [],
		exchanges: () => served?.exchanges() ?? [],
	});
	const { registry, report } = primaryRegistry(
		(service) => {
			primary
				.watch(service)
				.catch((error: unknown) => logger.error('a service is not followed', { service, error }));
		},
		(service) => void primary.unwatch.asEvent(service).catch(ignoreClosed),
	);
	const welcome = await join(primary);
	overrides.replace(welcome.overrides, () => '');
	apply({ attached: welcome.attached, logLevel: welcome.logLevel });
	for (const [state, change] of early) if (change > welcome.change) apply(state);
	early = undefined;
	return {
		primary,
		registry,
		overrides,
		pages: welcome.pages,
		attached,
		serve: (functions) => {
			served = functions;
		},
		leave: async (metrics) => {
			// A primary process that has exited needs no metrics.
			await primary.leave(metrics).catch(() => undefined);
		},
	};
}

/** The attached contexts, as the primary process reports them. */
function receivedEntries() {
	let current: readonly AttachedEntry[] = [];
	let listener: (entries: readonly AttachedEntry[]) => void = () => undefined;
	return {
		entries: () => current,
		onChange: (next: typeof listener): void => {
			listener = next;
		},
		accept: (sent: NonNullable<ChangedState['attached']>): void => {
			const known = new Map(current.map(({ contract }) => [contract?.hash, contract]));
			current = sent.map(({ entry, contract }): AttachedEntry => {
				if (contract === undefined) return { entry, contract };
				const { hash, content } = contract;
				return { entry, contract: content === undefined ? known.get(hash) : { hash, content } };
			});
			listener(current);
		},
	};
}

async function join(primary: PrimaryLink['primary']): Promise<Welcome> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await primary.join();
		} catch (error) {
			if (attempt === joinAttemptsMax) throw error;
		}
	}
}
