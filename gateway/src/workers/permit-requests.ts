import type { Logger } from '@paddock/telemetry';
import type { RateCount } from '../limits/rate-limit.ts';
import { type Bucket, isCountedAlone, requestOf, take, takeAlone } from './bucket.ts';
import type { PermitGrant, PermitRequest } from './permit-pool.ts';

/** The permit pool of the primary process; rejects if that does not respond. */
export interface RemotePermits {
	grant(requests: readonly PermitRequest[]): Promise<readonly PermitGrant[]>;
}

/** Requests permits and counts with them, or alone without the primary process. One event-loop iteration sends one message. */
export function createPermitRequests(deps: {
	readonly primary: RemotePermits;
	readonly nowMs: () => number;
	readonly logger: Logger;
}): (bucket: Bucket) => Promise<RateCount> {
	const { primary, nowMs, logger } = deps;
	let queued: Bucket[] = [];
	let isAlone = false;
	let isProbing = false;
	const request = (bucket: Bucket): void => {
		bucket.isRequesting = true;
		if (queued.length === 0) setImmediate(() => void send());
		queued.push(bucket);
	};
	const send = async (): Promise<void> => {
		const batch = queued;
		queued = [];
		await respondingOrAlone(batch, async () => {
			const grants = await primary.grant(batch.map((bucket) => requestOf(bucket, nowMs())));
			for (const [at, bucket] of batch.entries()) {
				serve(bucket, grants[at] as PermitGrant);
			}
		});
	};
	const serveAlone = (bucket: Bucket): void => {
		bucket.isRequesting = false;
		for (const resolve of bucket.waiting.splice(0)) resolve(takeAlone(bucket, nowMs()));
	};
	const serve = (bucket: Bucket, grant: PermitGrant): void => {
		const atMs = nowMs();
		// Another message failed in the meantime; the grant doesn't include the requests that were counted since.
		if (isCountedAlone(bucket, atMs)) {
			serveAlone(bucket);
			return;
		}
		Object.assign(bucket, grant, { isAlone: false, isRequesting: false, reportedAtMs: atMs });
		while (bucket.waiting.length > 0) {
			const count = take(bucket, atMs);
			if (count === undefined) {
				request(bucket);
				return;
			}
			bucket.waiting.shift()?.(count);
		}
	};
	const respondingOrAlone = async (batch: readonly Bucket[], call: () => Promise<void>): Promise<void> => {
		try {
			await call();
		} catch (error) {
			if (!isAlone) logger.warn('rate limits are counted by this worker alone', { error });
			isAlone = true;
			for (const bucket of batch) serveAlone(bucket);
		}
	};
	const probe = async (): Promise<void> => {
		isProbing = true;
		try {
			await primary.grant([]);
			isAlone = false;
			logger.info('rate limits are counted by the primary process again');
		} catch {
			// Still alone; the next request probes again.
		}
		isProbing = false;
	};
	return async (bucket) => {
		if (!isAlone && !isCountedAlone(bucket, nowMs())) {
			return await new Promise((resolve) => {
				bucket.waiting.push(resolve);
				if (!bucket.isRequesting) request(bucket);
			});
		}
		// Requests don't wait for a primary process that did not respond.
		if (isAlone && !isProbing) void probe();
		return takeAlone(bucket, nowMs());
	};
}
