/** A clock that only the test advances. */
export interface MovingClock {
	/** For parameters named `now`; bound. */
	readonly now: () => Date;
	advance(ms: number): void;
}

/** Starts at the current time by default, so that timestamps set by the database are close to it. */
export function createMovingClock(start: Date = new Date()): MovingClock {
	let atMs = start.getTime();
	return {
		now: () => new Date(atMs),
		advance: (ms) => {
			atMs += ms;
		},
	};
}
