import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, respondOk } from '@paddock/testing';
import { stringify } from 'yaml';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const prefix = '/api/wrap';
const path = `${prefix}/x`;
const json = { 'Content-Type': 'application/json' };

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'paddock-refused-'));
	const contract = {
		openapi: '3.1.0',
		info: { title: 'Anything', version: '1' },
		security: [{}],
		paths: { [`${prefix}/{any}`]: { get: {} } },
	};
	const entry = { name: 'wrap', prefix, service: 'wrap', contract: 'wrap.yaml', envelope: 'wrap' };
	await writeFile(join(folder, 'wrap.yaml'), stringify(contract));
	await writeFile(join(folder, 'contexts.yaml'), stringify([entry]));
});
afterAll(() => rm(folder, { recursive: true }));

/** A gateway with one bulkhead slot and one connection for a service with `envelope: wrap`. */
async function startGateway(respond: (res: ServerResponse) => void) {
	let isOpen = false;
	let requests = 0;
	const service = await bench.upstream((req, res) => {
		requests += 1;
		if (requests > 1) return respondOk(req, res);
		isOpen = true;
		res.once('close', () => {
			isOpen = false;
		});
		respond(res);
	});
	const gateway = await bench.start({
		services: { wrap: [service.url] },
		settings: {
			...{ CONTEXTS: 'auth,ping', CONTEXTS_FILE: join(folder, 'contexts.yaml') },
			UPSTREAM_SOCKETS_MAX: '1',
		},
	});
	return { gateway, isOpen: () => isOpen };
}

async function expectReleased(gateway: BenchGateway, isOpen: () => boolean): Promise<void> {
	await eventually('nothing is in flight', () => gateway.inFlight() === 0, 3_000);
	await eventually('the connection of the response is closed', () => !isOpen(), 3_000);
	expect((await gateway.send({ path })).status).toBe(200);
}

/** Sends a body that never ends, as fast as it is read. */
const endless =
	(status: number, headers: Record<string, string>, begin: string | Buffer = '"') =>
	(res: ServerResponse): void => {
		const chunk = Buffer.alloc(65_536, 'x');
		const fill = (): void => {
			while (!res.destroyed && res.write(chunk));
		};
		res.writeHead(status, { ...json, ...headers }).write(begin);
		res.on('drain', fill);
		fill();
	};

const brokenAtTheEnd = gzipSync(`[${'1,'.repeat(1_000_000)}1]`);
brokenAtTheEnd.fill(0xff, brokenAtTheEnd.length - 8);

describe('a response whose body is still arriving releases its connection and its bulkhead slot', () => {
	// The gateway stopped reading and waited for a receiver that it had closed itself: slot and connection were lost until a restart.
	test.each([
		['is a failure that is too long', endless(500, {}), 500],
		['is a failure that is not JSON', endless(500, { 'Content-Type': 'text/html' }), 500],
		['is in a broken coding', endless(200, { 'Content-Encoding': 'gzip' }), 502],
		['is in an unknown coding', endless(200, { 'Content-Encoding': 'compress' }), 502],
		['is in a coding with the name of a property', endless(200, { 'Content-Encoding': 'constructor' }), 502],
		['continues after its coding', endless(200, { 'Content-Encoding': 'deflate' }, deflateSync('[1]')), 200],
	])('if it %s', async (_name, respond, expected) => {
		const { gateway, isOpen } = await startGateway(respond);
		const { status, complete, json } = await gateway.send({ path });
		expect([status, complete, json().success]).toEqual([expected, true, expected === 200]);
		await expectReleased(gateway, isOpen);
	});

	test('if its coding breaks when the client has a part', async () => {
		const { gateway, isOpen } = await startGateway(
			endless(200, { 'Content-Encoding': 'gzip' }, brokenAtTheEnd),
		);
		expect(await gateway.send({ path })).toMatchObject({ status: 200, complete: false });
		await expectReleased(gateway, isOpen);
	});

	test.each([
		['while it is checked', (res: ServerResponse) => void res.writeHead(200, json).write('[1')],
		['while it is put into the envelope', endless(200, {})],
	])('if the client leaves %s', async (_name, respond) => {
		const { gateway, isOpen } = await startGateway(respond);
		const socket = connect({ port: gateway.port, host: '127.0.0.1' }).pause();
		socket.write(`GET ${path} HTTP/1.1\r\nHost: g\r\n\r\n`);
		await eventually('the service responds', isOpen);
		socket.resetAndDestroy();
		await expectReleased(gateway, isOpen);
	});
});
