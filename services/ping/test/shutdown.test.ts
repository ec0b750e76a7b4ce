import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { killAfterEach, launch, start } from './ping-process.ts';

killAfterEach();

/** One request over a kept connection: its status and Connection header, or the code of its failure. */
function ping(
	url: string,
	agent: Agent,
): Promise<{ status: number; connection: string } | { failure: string }> {
	return new Promise((resolve) => {
		const sent = request(`${url}/api/ping`, { agent }, (response) => {
			const { statusCode: status = 0, headers } = response;
			response.resume().once('end', () => resolve({ status, connection: headers.connection ?? '' }));
			response.once('error', () => resolve({ failure: 'cut off' }));
		});
		sent.once('error', (error: NodeJS.ErrnoException) => resolve({ failure: error.code ?? error.message }));
		sent.end();
	});
}

describe('on SIGTERM', () => {
	test('under load no request is lost, connections are closed, and it exits with 0', async () => {
		const { child, url, output, ended } = await start();
		const agent = new Agent({ keepAlive: true, maxSockets: 8 });
		const responses: Awaited<ReturnType<typeof ping>>[] = [];
		let stopping = false;
		const caller = async (): Promise<void> => {
			// A client stops after `Connection: close`, which was its last connection.
			for (;;) {
				const response = await ping(url, agent);
				responses.push(response);
				if ('failure' in response || (stopping && response.connection === 'close')) return;
			}
		};
		const callers = Promise.all(Array.from({ length: 8 }, caller));
		await eventually('load', () => responses.length > 200);
		child.kill('SIGTERM');
		stopping = true;
		await callers;
		agent.destroy();
		expect(responses.filter((response) => !('status' in response) || response.status !== 200)).toEqual([]);
		expect(
			responses.filter((response) => 'connection' in response && response.connection === 'close').length,
		).toBeGreaterThan(7);
		expect(await ended).toBe(0);
		expect(output()).toContain('"cause":"SIGTERM"');
	});

	test('it continues to serve while it is not ready, then refuses connections', async () => {
		const { child, url, ended } = await start({ DRAIN_MS: '1000' });
		child.kill('SIGTERM');
		await eventually('it says so', async () => (await fetch(`${url}/health`)).status === 503);
		const response = await fetch(`${url}/api/ping`);
		expect([response.status, response.headers.get('Connection')]).toEqual([200, 'close']);
		expect((await fetch(`${url}/health/liveness`)).status).toBe(200);
		expect(await ended).toBe(0);
		await expect(fetch(url)).rejects.toThrow('fetch failed');
	});

	test('a second one after a while ends it at once', async () => {
		const { child, output, ended } = await start({ DRAIN_MS: '60000' });
		child.kill('SIGTERM');
		await eventually('it has begun', () => output().includes('shutting down'));
		// Signals within a short time count as one: see the next test.
		const again = setInterval(() => child.kill('SIGTERM'), 100);
		expect(await ended).toBe(1);
		clearInterval(again);
	}, 10_000);

	test('a client that never finishes its request does not delay it', async () => {
		const { child, url, ended } = await start({ DRAIN_MS: '0', SHUTDOWN_TIMEOUT_MS: '200' });
		const open = request(`${url}/api/ping`, { method: 'POST', headers: { 'Content-Length': 10 } });
		open.on('error', () => undefined).flushHeaders();
		await once(open, 'socket');
		child.kill('SIGTERM');
		expect(await ended).toBe(0);
	});
});

// A terminal's Ctrl-C reaches the whole group, and a parent that forwards it makes it two.
test('SIGINT twice in a moment is one wish to end', async () => {
	const { child, output, ended } = await start();
	child.kill('SIGINT');
	await eventually('it has begun', () => output().includes('shutting down'));
	child.kill('SIGINT');
	expect(await ended).toBe(0);
});

describe('a parent with a channel', () => {
	test('that exits stops it', async () => {
		const { child, output, ended } = await start({}, { ipc: true });
		child.disconnect();
		expect(await ended).toBe(0);
		expect(output()).toContain('"cause":"parent gone"');
	});

	test('that exits during the start stops it, too', async () => {
		const source = `await new Promise((resolve) => process.once('disconnect', resolve));`;
		const args = ['--import', `data:text/javascript,${encodeURIComponent(source)}`];
		const { child, output, ended } = launch({ PORT: '0' }, { ipc: true, args });
		child.disconnect();
		expect(await ended).toBe(0);
		expect(output()).toContain('"cause":"parent gone"');
	});

	// It counted as a second signal and aborted the requests in flight.
	test('that exits during the drain does not cut it short', async () => {
		const { child, url, output, ended } = await start({ DRAIN_MS: '2500' }, { ipc: true });
		child.kill('SIGTERM');
		const startedAt = performance.now();
		await eventually('it has begun', () => output().includes('shutting down'));
		await eventually('the time of one signal has passed', () => performance.now() - startedAt > 1_200);
		child.disconnect();
		expect((await fetch(`${url}/api/ping`)).status).toBe(200);
		expect(await ended).toBe(0);
	}, 10_000);
});
