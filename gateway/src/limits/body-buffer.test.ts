import { describe, expect, test } from '@jest/globals';
import { BodyBuffer, createBodyMemory } from './body-buffer.ts';

function bufferOf(bytesMax: number, memoryBytes: number, clientBytesMax = memoryBytes) {
	const taken: number[] = [];
	const onChange = (bytes: number) => taken.push(bytes);
	const memory = createBodyMemory({ bytesMax: memoryBytes, clientBytesMax, onChange });
	const open = (client: string) => new BodyBuffer(bytesMax, memory, client);
	return { buffer: open('a'), open, clients: memory.clients, taken: () => taken.at(-1) ?? 0 };
}

describe('a body buffer', () => {
	test('keeps a body of one chunk as it is and its memory until it is released', () => {
		const { buffer, taken } = bufferOf(1_000, 1_000);
		const chunk = Buffer.from('hello');
		expect(buffer.add(chunk)).toBeUndefined();
		expect(buffer.bytes().buffer).toBe(chunk.buffer);
		expect(taken()).toBe(5);
		buffer.release();
		buffer.release();
		expect(taken()).toBe(0);
	});

	test('of single bytes occupies no more than twice their number', () => {
		const { buffer, taken } = bufferOf(100_000, 1_000_000);
		let most = 0;
		for (let index = 0; index < 100_000; index += 1) {
			buffer.add(Buffer.from([index % 251]));
			most = Math.max(most, taken() / (index + 1));
		}
		expect(most).toBeLessThanOrEqual(2);
		expect(buffer.bytes().every((byte, index) => byte === index % 251)).toBe(true);
		expect(taken()).toBe(100_000);
	});

	test('of exactly the limit is whole, one byte more is too large', () => {
		const { buffer } = bufferOf(10, 1_000);
		expect(buffer.add(Buffer.alloc(4))).toBeUndefined();
		expect(buffer.add(Buffer.alloc(6))).toBeUndefined();
		expect(buffer.add(Buffer.alloc(1))).toBe('tooLarge');
		expect(buffer.size).toBe(10);
	});

	test('without a byte is empty', () => {
		expect(bufferOf(10, 10).buffer.bytes()).toHaveLength(0);
	});

	test('past the memory of all bodies together is refused until others have given theirs back', () => {
		const first = bufferOf(100, 100);
		const second = first.open('b');
		const third = first.open('c');
		expect(first.buffer.add(Buffer.alloc(60))).toBeUndefined();
		expect(second.add(Buffer.alloc(41))).toBe('noMemory');
		expect(second.add(Buffer.alloc(40))).toBeUndefined();
		expect(second.add(Buffer.alloc(1))).toBe('noMemory');
		first.buffer.release();
		expect(third.add(Buffer.alloc(60))).toBeUndefined();
		expect(first.taken()).toBe(100);
	});

	test('past the share of its client is refused, and those of other clients are not', () => {
		const { buffer: first, open, clients } = bufferOf(100, 100, 40);
		const [second, third, other] = [open('a'), open('a'), open('b')];
		expect(first.add(Buffer.alloc(30))).toBeUndefined();
		expect(second.add(Buffer.alloc(11))).toBe('noMemory');
		expect(second.add(Buffer.alloc(10))).toBeUndefined();
		expect(other.add(Buffer.alloc(40))).toBeUndefined();
		first.release();
		expect(third.add(Buffer.alloc(30))).toBeUndefined();
		for (const buffer of [second, third, other]) buffer.release();
		expect(clients()).toBe(0);
	});
});
