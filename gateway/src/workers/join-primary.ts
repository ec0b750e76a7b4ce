import type { Registry } from '@paddock/discovery';
import type { Logger, LogLevel } from '@paddock/telemetry';
import type { BirpcReturn } from 'birpc';
import { createOverrideTable, type OverrideTable } from '../upstream/override-table.ts';
import {
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

type ServedFunctions = Pick<
	WorkerFunctions,
	'moveConnections' | 'metrics' | 'exchanges' | 'recall' | 'trip' | 'reset'
>;

/** What a worker has from the primary process. */
export interface PrimaryLink {
	readonly primary: BirpcReturn<PrimaryFunctions, WorkerFunctions>;
	readonly registry: Registry;
	readonly overrides: Pick<OverrideTable, 'of'>;
	readonly pages: PagesAddress | undefined;
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
		overrides: (changes) => overrides.apply(changes),
		logLevel: setLevel,
		trip: (...of) => served?.trip(...of),
		reset: (...of) => served?.reset(...of),
		moveConnections: (count) => served?.moveConnections(count),
		metrics: async () => (await served?.metrics()) ?? [],
		exchanges: () => served?.exchanges() ?? [],
		recall: async (...of) => (await served?.recall(...of)) ?? 0,
	});
	const { registry, report } = primaryRegistry((service) => {
		primary
			.watch(service)
			.catch((error: unknown) => logger.error('a service is not followed', { service, error }));
	});
	const welcome = await join(primary);
	overrides.replace(welcome.overrides, '');
	setLevel(welcome.logLevel);
	return {
		primary,
		registry,
		overrides,
		pages: welcome.pages,
		serve: (functions) => {
			served = functions;
		},
		leave: async (metrics) => {
			// A primary process that has exited needs no metrics.
			await primary.leave(metrics).catch(() => undefined);
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
