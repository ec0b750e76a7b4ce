/** Memory for the request bodies of all clients together. */
interface BodyBudget {
	/** Reserves so many bytes; false = not available, nothing was reserved. */
	take(bytes: number): boolean;
	give(bytes: number): void;
}

/** @param onChange called with the reserved bytes whenever they change */
export function createBodyBudget(bytesMax: number, onChange: (bytes: number) => void): BodyBudget {
	let taken = 0;
	return {
		take: (bytes) => {
			if (taken + bytes > bytesMax) return false;
			taken += bytes;
			onChange(taken);
			return true;
		},
		give: (bytes) => {
			taken -= bytes;
			onChange(taken);
		},
	};
}

/** Clients by user id or network, and the bytes that the bodies of each occupy. */
export type BodyShares = Map<string, number>;

/**
 * The part of the budget that one client may take, so that a client with many bodies leaves memory for others. A single
 * body fits in any case.
 */
export function clientShare(
	{ budget, shares, bytesMax }: { budget: BodyBudget; shares: BodyShares; bytesMax: number },
	client: string,
): BodyBudget {
	const add = (bytes: number): void => {
		const taken = (shares.get(client) ?? 0) + bytes;
		if (taken === 0) shares.delete(client);
		else shares.set(client, taken);
	};
	return {
		take: (bytes) => {
			if ((shares.get(client) ?? 0) + bytes > bytesMax || !budget.take(bytes)) return false;
			add(bytes);
			return true;
		},
		give: (bytes) => {
			budget.give(bytes);
			add(-bytes);
		},
	};
}

/** Why no more bytes can be added. */
type BodyRefusal = 'tooLarge' | 'noBudget';

/**
 * Collects a body in one block of memory that grows with what has arrived, not with what was announced. A list of chunks
 * would cost a hundred bytes and more for each, and a client can send one byte per chunk.
 */
export class BodyBuffer {
	/** Bytes received. */
	size = 0;
	readonly #bytesMax: number;
	readonly #budget: BodyBudget;
	#block: Buffer | undefined;

	constructor(bytesMax: number, budget: BodyBudget) {
		this.#bytesMax = bytesMax;
		this.#budget = budget;
	}

	/** Undefined = added. After a refusal nothing more can be added. */
	add(chunk: Buffer): BodyRefusal | undefined {
		const size = this.size + chunk.length;
		if (size > this.#bytesMax) return 'tooLarge';
		if (this.#block === undefined) {
			// A typical body arrives in one chunk, which is not copied.
			if (!this.#budget.take(chunk.length)) return 'noBudget';
			this.#block = chunk;
		} else {
			const block = this.#grow(this.#block, size);
			if (block === undefined) return 'noBudget';
			chunk.copy(block, this.size);
		}
		this.size = size;
		return undefined;
	}

	bytes(): Buffer {
		return this.#block?.subarray(0, this.size) ?? Buffer.alloc(0);
	}

	/** Releases the memory. */
	release(): void {
		if (this.#block === undefined) return;
		this.#budget.give(this.#block.length);
		this.#block = undefined;
	}

	/** A block with room for so many bytes; at least twice as large as the last one, so that each byte is copied once or twice. */
	#grow(block: Buffer, size: number): Buffer | undefined {
		if (size <= block.length) return block;
		const length = Math.min(this.#bytesMax, Math.max(size, 2 * block.length));
		if (!this.#budget.take(length - block.length)) return undefined;
		const larger = Buffer.allocUnsafeSlow(length);
		block.copy(larger, 0, 0, this.size);
		this.#block = larger;
		return larger;
	}
}
