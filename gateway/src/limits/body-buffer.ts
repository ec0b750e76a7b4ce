interface BodyMemory {
	/** Reserves so many bytes for a client; false = not available, nothing was reserved. */
	take(client: string, bytes: number): boolean;
	give(client: string, bytes: number): void;
	clients(): number;
}

/** Memory with a limit per client. @param settings.onChange receives the reserved bytes of all clients */
export function createBodyMemory(settings: {
	readonly bytesMax: number;
	readonly clientBytesMax: number;
	readonly onChange: (bytes: number) => void;
}): BodyMemory {
	let taken = 0;
	const takenBy = new Map<string, number>();
	const add = (client: string, bytes: number): void => {
		taken += bytes;
		const own = (takenBy.get(client) ?? 0) + bytes;
		if (own === 0) takenBy.delete(client);
		else takenBy.set(client, own);
		settings.onChange(taken);
	};
	return {
		take: (client, bytes) => {
			if (taken + bytes > settings.bytesMax) return false;
			if ((takenBy.get(client) ?? 0) + bytes > settings.clientBytesMax) return false;
			add(client, bytes);
			return true;
		},
		give: (client, bytes) => add(client, -bytes),
		clients: () => takenBy.size,
	};
}

type BodyRefusal = 'tooLarge' | 'noMemory';

/** Collects a body in one block that grows with what has arrived: in a list, each chunk of one byte would cost a hundred. */
export class BodyBuffer {
	size = 0;
	readonly bytesMax: number;
	readonly #memory: BodyMemory;
	readonly #client: string;
	#block: Buffer | undefined;

	/** @param client user id or network, by which memory is reserved */
	constructor(bytesMax: number, memory: BodyMemory, client: string) {
		this.bytesMax = bytesMax;
		this.#memory = memory;
		this.#client = client;
	}

	/** Undefined = added. After a refusal nothing more can be added. */
	add(chunk: Buffer): BodyRefusal | undefined {
		const size = this.size + chunk.length;
		if (size > this.bytesMax) return 'tooLarge';
		if (this.#block === undefined) {
			// A typical body arrives in one chunk, which is not copied.
			if (!this.#memory.take(this.#client, chunk.length)) return 'noMemory';
			this.#block = chunk;
		} else {
			const block = this.#grow(this.#block, size);
			if (block === undefined) return 'noMemory';
			chunk.copy(block, this.size);
		}
		this.size = size;
		return undefined;
	}

	bytes(): Buffer {
		return this.#block?.subarray(0, this.size) ?? Buffer.alloc(0);
	}

	release(): void {
		if (this.#block === undefined) return;
		this.#memory.give(this.#client, this.#block.length);
		this.#block = undefined;
	}

	/** A block with room for so many bytes; at least twice as large as the last one, so that each byte is copied once or twice. */
	#grow(block: Buffer, size: number): Buffer | undefined {
		if (size <= block.length) return block;
		const length = Math.min(this.bytesMax, Math.max(size, 2 * block.length));
		if (!this.#memory.take(this.#client, length - block.length)) return undefined;
		const larger = Buffer.allocUnsafeSlow(length);
		block.copy(larger, 0, 0, this.size);
		this.#block = larger;
		return larger;
	}
}
