/** A clock that stands still until a test moves it. */
export interface MovingClock {
	/** Hand it in where production code takes `now`; it is bound. */
	readonly now: () => Date;
	advance(ms: number): void;
}

/** Starts at the present, so that instants which a database made by itself lie close to it. */
export function createMovingClock(start: Date = new Date()): MovingClock {
	let atMs = start.getTime();
	return {
		now: () => new Date(atMs),
		advance: (ms) => {
			atMs += ms;
		},
	};
}
