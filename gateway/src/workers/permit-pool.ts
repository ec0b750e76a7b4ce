import { windowMs } from '../limits/rate-limit.ts';
import { createRecentMap } from '../limits/recent-map.ts';

/** What a worker requests for one counter. */
export interface PermitRequest {
	readonly bucket: string;
	readonly limit: number;
	/** Requests that wait. */
	readonly wanted: number;
	/** Permits that the worker returns: it no longer has any. */
	readonly unused: number;
}

export interface PermitGrant {
	/** More than wanted: the others are for later requests. Fewer: the limit is reached for the rest of the window. */
	readonly permits: number;
	/** Requests until the limit, as far as known, including those of these permits. */
	readonly remaining: number;
	/** By the monotonic clock of the machine. */
	readonly endsAtMs: number;
}

/**
 * The permits of all counters, in the primary process. A worker admits a request only with a permit, and a window has as
 * many as its limit. Each is in one place: unissued, at one worker, used, or lost with a worker or message. So no order of
 * messages admits more. Fewer are admitted only if permits are lost: before a worker refuses a request, the others return
 * what they have not used.
 */
export interface PermitPool {
	/** Undefined if permits of other workers must be recalled first. */
	grant(worker: number, request: PermitRequest): PermitGrant | undefined;
	grantAfterRecall(worker: number, request: PermitRequest): Promise<PermitGrant>;
}

interface PermitPoolDeps {
	readonly workers: number;
	/** The unused permits that a worker returns; 0 if it has exited or does not respond. */
	readonly recall: (worker: number, bucket: string, endsAtMs: number) => Promise<number>;
	/** The monotonic clock that all workers share. */
	readonly nowMs: () => number;
}

interface Window {
	readonly endsAtMs: number;
	unissued: number;
	/** Permits for later requests, by worker, as of its last message. */
	readonly issued: Map<number, number>;
	recall: Promise<void> | undefined;
	/** From then on workers get a permit for each request that waits and none for later ones. */
	isRecalled: boolean;
}

/** More permits would leave more to recall, or to lose with a worker; with a tenth, messages cost little at any limit. */
const laterMax = (limit: number): number => Math.ceil(limit / 10);

export function createPermitPool({ workers, recall, nowMs }: PermitPoolDeps): PermitPool {
	const windows = createRecentMap<Window>({ periodMs: windowMs, nowMs });
	const windowOf = ({ bucket, limit }: PermitRequest): Window => {
		const atMs = nowMs();
		const current = windows.get(bucket);
		if (current !== undefined && current.endsAtMs > atMs) return current;
		const next: Window = {
			endsAtMs: atMs + windowMs,
			unissued: limit,
			issued: new Map(),
			recall: undefined,
			isRecalled: false,
		};
		windows.set(bucket, next);
		return next;
	};
	const recallAll = async (bucket: string, window: Window): Promise<void> => {
		const recallFrom = async ([worker, issued]: readonly [number, number]): Promise<void> => {
			const unused = await recall(worker, bucket, window.endsAtMs);
			window.unissued += Math.min(unused, issued);
		};
		await Promise.all([...window.issued].map(recallFrom));
		window.issued.clear();
		window.isRecalled = true;
	};
	/** The window of a request, with the permits that it returns. */
	const settle = (worker: number, request: PermitRequest): Window => {
		const window = windowOf(request);
		window.unissued += Math.min(request.unused, window.issued.get(worker) ?? 0);
		window.issued.delete(worker);
		return window;
	};
	const mustRecall = (window: Window, wanted: number): boolean =>
		!window.isRecalled &&
		(window.recall !== undefined || (window.unissued < wanted && window.issued.size > 0));
	const issue = (window: Window, worker: number, { wanted, limit }: PermitRequest): PermitGrant => {
		const waiting = Math.min(wanted, window.unissued);
		// A share of the unissued permits, so that few have to be recalled towards the limit.
		const share = Math.floor((window.unissued - waiting) / (2 * workers));
		const later = window.isRecalled ? 0 : Math.min(laterMax(limit), share);
		window.unissued -= waiting + later;
		if (later > 0) window.issued.set(worker, later);
		let remaining = window.unissued + waiting;
		for (const issued of window.issued.values()) remaining += issued;
		return { permits: waiting + later, remaining, endsAtMs: window.endsAtMs };
	};
	return {
		grant: (worker, request) => {
			const window = settle(worker, request);
			return mustRecall(window, request.wanted) ? undefined : issue(window, worker, request);
		},
		grantAfterRecall: async (worker, request) => {
			const window = settle(worker, request);
			if (mustRecall(window, request.wanted)) {
				window.recall ??= recallAll(request.bucket, window);
				await window.recall;
			}
			return issue(window, worker, request);
		},
	};
}
