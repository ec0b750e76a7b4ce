/** Pseudo-random numbers, the same in each run, so that runs are comparable. */
export interface RandomChoice {
	/** 0 ≤ n < below */
	integer(below: number): number;
	of<T>(list: readonly [T, ...T[]]): T;
	/** The first elements are the most frequent ones, as with names of people. */
	skewed<T>(list: readonly [T, ...T[]]): T;
}

/** Mulberry32, a generator with 32 bits of state. */
function createRandomChoice(seed: number): RandomChoice {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const integer = (below: number): number => Math.floor(next() * below);
	return {
		integer,
		of: (list) => list[integer(list.length)] ?? list[0],
		skewed: (list) => list[Math.floor(next() ** 2 * list.length)] ?? list[0],
	};
}

/** The choices for the record of that kind and index, independent of all others. */
export function choicesFor(kind: RecordKind, index: number): RandomChoice {
	return createRandomChoice(seedOf(kind, index));
}

function seedOf(kind: RecordKind, index: number): number {
	return Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(kinds.indexOf(kind) + 1, 0x85ebca6b);
}

const kinds = [
	'club',
	'member',
	'user',
	'horse',
	'period',
	'transfer',
	'venue',
	'event',
	'competition',
	'entry',
] as const;

type RecordKind = (typeof kinds)[number];

/** A UUID of version 4 for that kind and index. As in reality, its order says nothing about the record, neither its age nor its choices. */
export function inventedId(kind: RecordKind, index: number): string {
	const random = createRandomChoice(seedOf(kind, index) ^ 0xc2b2ae35);
	const hex = (digits: number) =>
		random
			.integer(16 ** digits)
			.toString(16)
			.padStart(digits, '0');
	const code = kinds.indexOf(kind).toString(16);
	// The index makes it unique.
	return `${hex(4)}${hex(4)}-${hex(4)}-4${hex(2)}${code}-a${hex(3)}-${hex(2)}${hex(2)}${index.toString(16).padStart(8, '0')}`;
}
