import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually, patient, startStopwatch } from '@paddock/testing';
import { killAfterEach, start } from './ping-process.ts';

killAfterEach();

describe.each([
	['an uncaught exception', 'throw new Error("a bug outside")'],
	['an unhandled rejection', 'Promise.reject("a bug outside")'],
])('after %s', (_kind, bug) => {
	const source = `process.on('SIGUSR2', () => { ${bug}; });`;
	const args = ['--import', `data:text/javascript,${encodeURIComponent(source)}`];

	/** Sends an incomplete head, which is a request in flight until the remainder is sent. */
	async function beginRequest(url: string): Promise<Socket> {
		const socket = connect(Number(new URL(url).port), '127.0.0.1');
		socket.on('error', () => undefined);
		await once(socket, 'connect');
		socket.write('GET /api/ping HTTP/1.1\r\nHost: a\r\n');
		return socket;
	}
	const isRefused = (url: string): Promise<boolean> =>
		new Promise((resolve) => {
			const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
				socket.destroy();
				resolve(false);
			});
			socket.on('error', () => resolve(true));
		});

	test('it accepts no connection, serves requests in flight, and exits with 1', async () => {
		const { child, url, output, ended } = await start({ DRAIN_MS: '5000' }, { args });
		const socket = await beginRequest(url);
		expect(await isRefused(url)).toBe(false);
		child.kill('SIGUSR2');
		await eventually('it refuses connections', () => isRefused(url), 2_000);
		expect(child.exitCode).toBeNull();
		socket.write('\r\n');
		const [response] = await once(socket, 'data');
		expect(String(response)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*Connection: close\r\n/s);
		expect(await ended).toBe(1);
		expect(output()).toContain('a bug outside');
		expect(output()).toContain('"level":"error"');
	});

	test('it ends within the drain time although a request does not', async () => {
		const { child, url, ended } = await start({ DRAIN_MS: '1000', SHUTDOWN_TIMEOUT_MS: '60000' }, { args });
		await beginRequest(url);
		expect(await isRefused(url)).toBe(false);
		const elapsedMs = startStopwatch();
		child.kill('SIGUSR2');
		expect(await ended).toBe(1);
		expect(elapsedMs()).toBeLessThan(patient(1_500));
	});

	test('during a shutdown it ends within the drain time as well', async () => {
		const { child, url, output, ended } = await start(
			{ DRAIN_MS: '1000', SHUTDOWN_TIMEOUT_MS: '60000' },
			{ args },
		);
		await beginRequest(url);
		child.kill('SIGTERM');
		await eventually('the port is closed', () => isRefused(url));
		const elapsedMs = startStopwatch();
		child.kill('SIGUSR2');
		expect(await ended).toBe(1);
		expect(elapsedMs()).toBeLessThan(patient(1_500));
		expect(output()).toContain('a bug outside');
	});
});
