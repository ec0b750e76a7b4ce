import { apiError } from '@paddock/contract';
import { type Bulkhead, createBulkhead, remainingMs, requestSignal } from '@paddock/resilience';

/** The requests that can keep the database busy for long. */
export type Load =
	/** Exports and exact totals: few run at once, those of all callers together. */
	| 'heavy'
	/** Lists and statistics: one caller's use a part of the connections, so that the others' find a free one. */
	| 'list';

export interface HeavyRequests {
	/** Runs the work when it gets a slot. @throws ApiError RATE_LIMITED with too many of the caller, OVERLOADED without a slot */
	run<Result>(load: Load, caller: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

const heavyPerCallerMax = 2;
const waitMsMax = 3_000;
const retryAfterMs = 1_000;

/** `max`: how many of a kind run at once; the others wait in order. */
export function createHeavyRequests({ max }: { readonly max: number }): HeavyRequests {
	const heavy = createBulkhead({ max, waitingMax: Number.POSITIVE_INFINITY });
	const heavyByCaller = new Map<string, number>();
	const listsByCaller = new Map<string, { readonly bulkhead: Bulkhead; requests: number }>();

	const runHeavy: Run = async (caller, signal, work) => {
		const own = heavyByCaller.get(caller) ?? 0;
		if (own >= heavyPerCallerMax) throw tooMany(heavyPerCallerMax);
		heavyByCaller.set(caller, own + 1);
		try {
			const release = await heavy.enter(waitMs(), signal);
			if (release === undefined) throw apiError('OVERLOADED', { retryAfterMs });
			return await withSlot(release, signal, work);
		} finally {
			const left = (heavyByCaller.get(caller) ?? 1) - 1;
			if (left === 0) heavyByCaller.delete(caller);
			else heavyByCaller.set(caller, left);
		}
	};

	const runList: Run = async (caller, signal, work) => {
		const own = listsByCaller.get(caller) ?? {
			bulkhead: createBulkhead({ max, waitingMax: Number.POSITIVE_INFINITY }),
			requests: 0,
		};
		listsByCaller.set(caller, own);
		own.requests += 1;
		try {
			const release = await own.bulkhead.enter(waitMs(), signal);
			if (release === undefined) throw tooMany(max);
			return await withSlot(release, signal, work);
		} finally {
			own.requests -= 1;
			if (own.requests === 0) listsByCaller.delete(caller);
		}
	};

	return { run: (load, ...request) => (load === 'heavy' ? runHeavy : runList)(...request) };
}

type Run = <Result>(caller: string, signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

/** The caller of a hanging database would leave before a longer wait ends. */
const waitMs = (): number => Math.min(waitMsMax, remainingMs() ?? Number.POSITIVE_INFINITY);

async function withSlot<Result>(
	release: () => void,
	signal: AbortSignal,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await requestSignal.run(signal, work);
	} finally {
		release();
	}
}

function tooMany(max: number) {
	return apiError('RATE_LIMITED', {
		message: `At most ${max} requests of this kind at once. Wait for the earlier ones.`,
		retryAfterMs,
	});
}
