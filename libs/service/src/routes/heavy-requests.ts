import { apiError } from '@paddock/contract';
import { createBulkhead, requestSignal } from '@paddock/resilience';

/** Admits the requests that keep the database busy for long: exports and exact totals. */
export interface HeavyRequests {
	/**
	 * Runs the work when it gets a slot; its queries end with the request.
	 * @throws ApiError RATE_LIMITED if the caller has too many at once, OVERLOADED without a slot in time
	 */
	run<Result>(caller: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

const perCallerMax = 2;
const waitMs = 3_000;
const retryAfterMs = 1_000;

/** `max`: how many run at once; the others wait in order. */
export function createHeavyRequests({ max }: { readonly max: number }): HeavyRequests {
	const bulkhead = createBulkhead({ max, waitingMax: Number.POSITIVE_INFINITY });
	const byCaller = new Map<string, number>();
	return {
		run: async (caller, signal, work) => {
			const own = byCaller.get(caller) ?? 0;
			if (own >= perCallerMax)
				throw apiError('RATE_LIMITED', {
					message: `At most ${perCallerMax} requests of this kind at once. Wait for the earlier ones.`,
					retryAfterMs,
				});
			byCaller.set(caller, own + 1);
			try {
				const release = await bulkhead.enter(waitMs, signal);
				if (release === undefined) throw apiError('OVERLOADED', { retryAfterMs });
				try {
					return await requestSignal.run(signal, work);
				} finally {
					release();
				}
			} finally {
				const left = (byCaller.get(caller) ?? 1) - 1;
				if (left === 0) byCaller.delete(caller);
				else byCaller.set(caller, left);
			}
		},
	};
}
