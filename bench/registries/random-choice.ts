/** Pseudo-random numbers, the same in each run, so that runs are comparable. */
export interface RandomChoice {
	/** 0 ≤ n < below */
	integer(below: number): number;
	of<T>(list: readonly [T, ...T[]]): T;
}

/** Mulberry32, a generator with 32 bits of state. */
export function createRandomChoice(seed: number): RandomChoice {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const integer = (below: number): number => Math.floor(next() * below);
	return { integer, of: (list) => list[integer(list.length)] ?? list[0] };
}
