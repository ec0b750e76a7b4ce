import type { Logger } from '@paddock/telemetry';
import type { LimitedBucket, RateCount, RateCounts } from '../edge/rate-counts.ts';

interface Pending {
	readonly buckets: readonly LimitedBucket[];
	readonly resolve: (counts: readonly RateCount[] | Promise<readonly RateCount[]>) => void;
}

export interface PrimaryCountsDeps {
	/** Counts in the primary process; rejects if that does not respond. */
	readonly count: (
		requests: readonly (readonly LimitedBucket[])[],
	) => Promise<readonly (readonly RateCount[])[]>;
	/** Counts in this worker while the primary process does not respond. */
	readonly memory: RateCounts;
	readonly logger: Logger;
}

/**
 * Counts in the primary process, so that a limit holds exactly for all workers together. The requests of one iteration of
 * the event loop share one message: the more requests, the less each costs.
 */
export function primaryCounts({ count, memory, logger }: PrimaryCountsDeps): RateCounts {
	let pending: Pending[] = [];
	let alone = false;
	let probing = false;
	/** Requests don't wait for a primary process that did not respond. */
	const probe = async (): Promise<void> => {
		if (probing) return;
		probing = true;
		await count([]).then(
			() => {
				alone = false;
				logger.info('rate limits are counted by the primary process again');
			},
			() => undefined,
		);
		probing = false;
	};
	const countHere = (batch: readonly Pending[]): void => {
		for (const { buckets, resolve } of batch) resolve(memory.add(buckets));
	};
	const send = async (): Promise<void> => {
		const batch = pending;
		pending = [];
		if (alone) {
			countHere(batch);
			return probe();
		}
		try {
			const counts = await count(batch.map(({ buckets }) => buckets));
			for (const [index, { resolve }] of batch.entries()) resolve(counts[index] ?? []);
		} catch (error) {
			if (!alone) logger.warn('rate limits are counted by this worker alone', { error });
			alone = true;
			countHere(batch);
		}
	};
	return {
		add: (buckets) =>
			new Promise((resolve) => {
				if (pending.length === 0) setImmediate(() => void send());
				pending.push({ buckets, resolve });
			}),
	};
}
