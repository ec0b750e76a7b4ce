import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type System, startSystem } from '../system.ts';

const mib = 1024 ** 2;
const gib = 1024 * mib;
const uploadsAtOnce = 20;
const chunk = Buffer.alloc(64 * 1024, 'x');

interface Upload {
	readonly text: string;
	readonly toldAfterBytes: number;
	readonly sentBytes: number;
}

let system: System;
let token: string;

beforeAll(async () => {
	system = await startSystem({ contexts: ['auth', 'ping'] });
	token = await system.signIn();
}, 60_000);

afterAll(async () => {
	await system?.stop();
});

async function residentBytes(): Promise<number> {
	const text = await (await fetch(`${system.gateway.url}/actuator/prometheus`)).text();
	return Number(/^process_resident_memory_bytes\{?[^}\n]*\}? (\S+)$/m.exec(text)?.[1]);
}

/**
 * Sends a body of 1 GiB until the gateway refuses it, and ignores
 * the response while sending, as an attacker would.
 * @returns the response, the bytes sent before it, and the bytes sent in all
 */
async function upload(inChunks: boolean): Promise<Upload> {
	const socket = connect(system.gateway.port, '127.0.0.1');
	let text = '';
	let sentBytes = 0;
	let toldAfterBytes = Number.POSITIVE_INFINITY;
	let isOpen = true;
	socket.on('data', (data: Buffer) => {
		text += data.toString('latin1');
		toldAfterBytes = Math.min(toldAfterBytes, sentBytes);
	});
	socket.on('error', () => undefined);
	const closed = new Promise<void>((resolve) => socket.once('close', () => resolve())).then(() => {
		isOpen = false;
	});
	const framing = inChunks ? 'Transfer-Encoding: chunked' : `Content-Length: ${gib}`;
	const head = ['PUT /auth/profile HTTP/1.1', 'Host: a', `Authorization: Bearer ${token}`, framing];
	socket.write(`${head.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n`);
	while (isOpen && sentBytes < gib) {
		const framed = inChunks ? Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]) : chunk;
		sentBytes += chunk.length;
		const isTaken = socket.write(framed);
		if (!isTaken) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
		else await new Promise((resolve) => setImmediate(resolve));
	}
	socket.destroy();
	await closed;
	return { text, toldAfterBytes, sentBytes };
}

test.each([
	['by its length', false],
	['in chunks', true],
])(
	'bodies of a gibibyte (%s) are refused with 413 early, and memory stays as it is',
	async (_name, inChunks) => {
		await upload(inChunks);
		const before = await residentBytes();
		const uploads = await Promise.all(Array.from({ length: uploadsAtOnce }, () => upload(inChunks)));
		const after = await residentBytes();
		for (const { text, toldAfterBytes, sentBytes } of uploads) {
			expect(text).toMatch(/^HTTP\/1\.1 413 /);
			expect(text).toContain('"PAYLOAD_TOO_LARGE"');
			expect(toldAfterBytes).toBeLessThan(16 * mib);
			// The bytes that are read and dropped in the second before the connection is closed depend on the machine.
			expect(sentBytes).toBeLessThan(gib / 2);
		}
		expect(after - before).toBeLessThan(64 * mib);
		expect((await fetch(`${system.gateway.url}/api/ping`)).status).toBe(200);
		expect(system.services.auth[0]?.output()).not.toContain('"route":"/auth/profile","status":2');
	},
	60_000,
);
