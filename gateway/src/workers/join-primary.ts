import type { Registry } from '@paddock/discovery';
import type { Logger, LogLevel } from '@paddock/telemetry';
import type { BirpcReturn } from 'birpc';
import type { AttachedEntry } from '../attached/prepared-contexts.ts';
import { createOverrideTable, type OverrideTable } from '../upstream/override-table.ts';
import {
	ignoreClosed,
	openChannel,
	type PagesAddress,
	type PrimaryFunctions,
	type SentEntry,
	type Welcome,
	type WorkerFunctions,
} from './channel.ts';
import type { MetricValues } from './merged-metrics.ts';
import { primaryRegistry } from './primary-registry.ts';

// A machine that starts many processes at once may take seconds to respond.
const joinAttemptsMax = 20;

type ServedFunctions = Pick<WorkerFunctions, 'moveConnections' | 'metrics' | 'exchanges' | 'trip' | 'reset'>;

/** What a worker has from the primary process. */
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
	const overrides = createOverrideTable({ now, onChange: () => undefined });
	let served: ServedFunctions | undefined;
	const setLevel = (level: LogLevel): void => {
		logger.level = level;
	};
	const primary = openChannel<PrimaryFunctions, WorkerFunctions>(process, {
		instances: (service, snapshot) => report(service, snapshot),
		attached: (entries) => attached.accept(entries),
		overrides: (changes) => overrides.apply(changes),
		logLevel: setLevel,
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
	const attached = receivedEntries();
	const welcome = await join(primary);
	attached.accept(welcome.attached);
	overrides.replace(welcome.overrides, () => '');
	setLevel(welcome.logLevel);
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
		accept: (sent: readonly SentEntry[]): void => {
			const known = new Map(current.map(({ contract }) => [contract?.hash, contract]));
			const entries = sent.flatMap(({ entry, contract }): AttachedEntry[] => {
				if (contract === undefined) return [{ entry, contract }];
				const { hash, content } = contract;
				const whole = content === undefined ? known.get(hash) : { hash, content };
				return whole === undefined ? [] : [{ entry, contract: whole }];
			});
			// Reported before this worker joined: it has what it needs from the response to that.
			if (entries.length < sent.length) return;
			current = entries;
			listener(entries);
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
