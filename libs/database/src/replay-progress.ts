interface Sample {
	/** Of a monotonic clock, in milliseconds; before the position was read. */
	readonly at: number;
	/** A position in the WAL, in bytes. */
	readonly position: number;
}

/** Which past state of the primary a standby has, from positions of both. */
interface ReplayProgress {
	/** The primary had written `position` at `at`, or later. */
	written(at: number, position: number): void;
	/** The standby has replayed up to `position`. */
	replayed(position: number): void;
	/** The standby has everything that was committed before this time; undefined if unknown. */
	readonly completeUntil: number | undefined;
}

// A standby that is further behind than this many samples gets a time that is too early, never one that is too late.
const samplesMax = 1_000;

/**
 * Compares positions, not the time of the last replayed transaction: that grows on a primary without writes, and the
 * clocks of two servers differ.
 */
export function createReplayProgress(): ReplayProgress {
	const samples: Sample[] = [];
	let completeUntil: number | undefined;
	return {
		written: (at, position) => {
			if (samples.at(-1)?.position === position) samples.pop();
			samples.push({ at, position });
			if (samples.length > samplesMax) samples.shift();
		},
		replayed: (position) => {
			const last = samples.findLastIndex((sample) => sample.position <= position);
			if (last === -1) return;
			completeUntil = samples[last]?.at;
			samples.splice(0, last + 1);
		},
		get completeUntil() {
			return completeUntil;
		},
	};
}
