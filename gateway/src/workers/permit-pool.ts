import { createRecentMap, windowMs } from '../limits/rate-limit.ts';

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
 * messages admits more. Fewer are admitted if workers keep permits that they don't use, all together a tenth at most, or lose them.
 */
export type PermitPool = (worker: number, request: PermitRequest) => PermitGrant;

interface Window {
	readonly endsAtMs: number;
	unissued: number;
	/** Permits for later requests, by worker, as of its last message. */
	readonly issued: Map<number, number>;
}

/** @param nowMs the monotonic clock that all workers share */
export function createPermitPool(nowMs: () => number): PermitPool {
	const windows = createRecentMap<Window>({ periodMs: windowMs, nowMs });
	const windowOf = ({ bucket, limit }: PermitRequest): Window => {
		const atMs = nowMs();
		const current = windows.get(bucket);
		if (current !== undefined && current.endsAtMs > atMs) return current;
		const next: Window = { endsAtMs: atMs + windowMs, unissued: limit, issued: new Map() };
		windows.set(bucket, next);
		return next;
	};
	return (worker, request) => {
		const window = windowOf(request);
		window.unissued += Math.min(request.unused, window.issued.get(worker) ?? 0);
		window.issued.delete(worker);
		const waiting = Math.min(request.wanted, window.unissued);
		window.unissued -= waiting;
		let elsewhere = 0;
		for (const issued of window.issued.values()) elsewhere += issued;
		// Half of what the tenth leaves, so that another worker gets some as well.
		const share = Math.ceil((Math.floor(request.limit / 10) - elsewhere) / 2);
		const later = Math.max(0, Math.min(share, window.unissued));
		window.unissued -= later;
		if (later > 0) window.issued.set(worker, later);
		const isReached = waiting < request.wanted;
		const remaining = isReached ? waiting : waiting + later + window.unissued + elsewhere;
		return { permits: waiting + later, remaining, endsAtMs: window.endsAtMs };
	};
}
