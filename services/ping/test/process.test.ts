import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, freePort, startStopwatch } from '@paddock/testing';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const running: ChildProcess[] = [];

interface Started {
	readonly child: ChildProcess;
	readonly url: string;
	output(): string;
	errors(): string;
	/** The exit code, or the signal that ended it. */
	readonly ended: Promise<number | string | null>;
}

afterEach(() => {
	for (const child of running.splice(0)) child.kill('SIGKILL');
});

function launch(
	env: Record<string, string>,
	more: { args?: string[]; ipc?: boolean } = {},
): Omit<Started, 'url'> {
	const { PATH = '' } = process.env;
	const child = spawn(process.execPath, [...(more.args ?? []), 'services/ping/src/main.ts'], {
		cwd: root,
		env: { PATH, NODE_ENV: 'test', DRAIN_MS: '300', ...env },
		stdio: ['ignore', 'pipe', 'pipe', ...(more.ipc === true ? (['ipc'] as const) : [])],
	});
	running.push(child);
	const texts = { output: '', errors: '' };
	child.stdout?.on('data', (chunk: Buffer) => {
		texts.output += chunk.toString();
	});
	child.stderr?.on('data', (chunk: Buffer) => {
		texts.errors += chunk.toString();
	});
	// Its `close` never comes once the channel was given up.
	const drained = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
	const ended = Promise.all([once(child, 'exit'), ...drained]).then(([[code, signal]]) => code ?? signal);
	return { child, output: () => texts.output, errors: () => texts.errors, ended };
}

async function start(env: Record<string, string> = {}, more: { args?: string[]; ipc?: boolean } = {}) {
	const port = await freePort();
	const started: Started = {
		...launch({ PORT: String(port), ...env }, more),
		url: `http://127.0.0.1:${port}`,
	};
	await eventually('it listens', () => {
		if (started.child.exitCode !== null) throw new Error(`ended early: ${started.errors()}`);
		return started.output().includes('"listening"');
	});
	return started;
}

/** One request over a kept connection: its status and Connection header, or the code of its failure. */
function ping(
	url: string,
	agent: Agent,
): Promise<{ status: number; connection: string } | { failure: string }> {
	return new Promise((resolve) => {
		const sent = request(`${url}/api/ping`, { agent }, (answer) => {
			const { statusCode: status = 0, headers } = answer;
			answer.resume().once('end', () => resolve({ status, connection: headers.connection ?? '' }));
			answer.once('error', () => resolve({ failure: 'cut off' }));
		});
		sent.once('error', (error: NodeJS.ErrnoException) => resolve({ failure: error.code ?? error.message }));
		sent.end();
	});
}

describe('on SIGTERM', () => {
	test('under load no request is lost, connections are let go, and it ends with 0', async () => {
		const { child, url, output, ended } = await start();
		const agent = new Agent({ keepAlive: true, maxSockets: 8 });
		const answers: Awaited<ReturnType<typeof ping>>[] = [];
		let stopping = false;
		const caller = async (): Promise<void> => {
			// A caller leaves when it has been told to: the connection it was given up on is its last.
			for (;;) {
				const answer = await ping(url, agent);
				answers.push(answer);
				if ('failure' in answer || (stopping && answer.connection === 'close')) return;
			}
		};
		const callers = Promise.all(Array.from({ length: 8 }, caller));
		await eventually('load', () => answers.length > 200);
		child.kill('SIGTERM');
		stopping = true;
		await callers;
		agent.destroy();
		expect(answers.filter((answer) => !('status' in answer) || answer.status !== 200)).toEqual([]);
		expect(
			answers.filter((answer) => 'connection' in answer && answer.connection === 'close').length,
		).toBeGreaterThan(7);
		expect(await ended).toBe(0);
		expect(output()).toContain('"cause":"SIGTERM"');
	});

	test('it goes on serving while it says that it is not ready, then refuses connections', async () => {
		const { child, url, ended } = await start({ DRAIN_MS: '1000' });
		child.kill('SIGTERM');
		await eventually('it says so', async () => (await fetch(`${url}/health`)).status === 503);
		const answer = await fetch(`${url}/api/ping`);
		expect([answer.status, answer.headers.get('Connection')]).toEqual([200, 'close']);
		expect((await fetch(`${url}/health/liveness`)).status).toBe(200);
		expect(await ended).toBe(0);
		await expect(fetch(url)).rejects.toThrow('fetch failed');
	});

	test('a second one after a while ends it at once', async () => {
		const { child, output, ended } = await start({ DRAIN_MS: '60000' });
		child.kill('SIGTERM');
		await eventually('it has begun', () => output().includes('shutting down'));
		// Signals that come close together are one: see the next test.
		const again = setInterval(() => child.kill('SIGTERM'), 100);
		expect(await ended).toBe(1);
		clearInterval(again);
	}, 10_000);

	test('a client that never finishes its request does not keep it', async () => {
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
	test('that goes away takes it along', async () => {
		const { child, output, ended } = await start({}, { ipc: true });
		child.disconnect();
		expect(await ended).toBe(0);
		expect(output()).toContain('"cause":"parent gone"');
	});

	test('that goes away during the start takes it along, too', async () => {
		const source = `await new Promise((resolve) => process.once('disconnect', resolve));`;
		const args = ['--import', `data:text/javascript,${encodeURIComponent(source)}`];
		const { child, output, ended } = launch({ PORT: '0' }, { ipc: true, args });
		child.disconnect();
		expect(await ended).toBe(0);
		expect(output()).toContain('"cause":"parent gone"');
	});

	// It used to count as a second signal and cut off what was still in flight.
	test('that goes away during the drain does not cut it short', async () => {
		const { child, url, output, ended } = await start({ DRAIN_MS: '2500' }, { ipc: true });
		child.kill('SIGTERM');
		const startedAt = performance.now();
		await eventually('it has begun', () => output().includes('shutting down'));
		await eventually('signals are no longer one', () => performance.now() - startedAt > 1_200);
		child.disconnect();
		expect((await fetch(`${url}/api/ping`)).status).toBe(200);
		expect(await ended).toBe(0);
	}, 10_000);
});

describe.each([
	['an uncaught exception', 'throw new Error("a bug outside")'],
	['an unhandled rejection', 'Promise.reject("a bug outside")'],
])('after %s', (_kind, bug) => {
	const source = `process.on('SIGUSR2', () => { ${bug}; });`;
	const args = ['--import', `data:text/javascript,${encodeURIComponent(source)}`];

	/** Sends a head without its end, which is a request in flight until the rest is sent. */
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

	test('it accepts nothing more, serves what is in flight, and ends with 1', async () => {
		const { child, url, output, ended } = await start({ DRAIN_MS: '5000' }, { args });
		const socket = await beginRequest(url);
		expect(await isRefused(url)).toBe(false);
		child.kill('SIGUSR2');
		await eventually('it refuses connections', () => isRefused(url), 2_000);
		expect(child.exitCode).toBeNull();
		socket.write('\r\n');
		const [answer] = await once(socket, 'data');
		expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*Connection: close\r\n/s);
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
		expect(elapsedMs()).toBeLessThan(1_500);
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
		expect(elapsedMs()).toBeLessThan(1_500);
		expect(output()).toContain('a bug outside');
	});
});

describe('a start that cannot be', () => {
	test('for a port in use says so in one line', async () => {
		const taken = createServer().listen(0, '127.0.0.1');
		await once(taken, 'listening');
		const address = taken.address();
		const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
		const { errors, ended } = launch({ PORT: String(port) });
		expect(await ended).toBe(1);
		expect(errors()).toBe(`ping-service: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`);
		taken.close();
	});

	test("for an address that is not this machine's says so in one line", async () => {
		const { errors, ended } = launch({ PORT: '0', HOST: '192.0.2.1' });
		expect(await ended).toBe(1);
		expect(errors()).toMatch(/^ping-service: listen EADDRNOTAVAIL: [^\n]*192\.0\.2\.1[^\n]*\n$/);
	});

	test('for its settings lists every one that is wrong', async () => {
		const wrong = {
			PORT: '70000',
			HOST: 'not a host',
			LOG_LEVEL: 'loud',
			NODE_ENV: 'staging',
			DISCOVERY: 'guess',
			DRAIN_MS: '-1',
			TRUSTED_PROXIES: '300.1.1.1/99',
			SERVICE_INSTANCES: 'auth-service',
		};
		const { errors, output, ended } = launch(wrong);
		expect(await ended).toBe(1);
		expect(errors()).toMatch(/^ping-service: The settings are not usable:\n/);
		for (const name of Object.keys(wrong)) expect(errors()).toContain(`\n  ${name}: `);
		expect(errors().trimEnd().split('\n')).toHaveLength(1 + Object.keys(wrong).length);
		expect(output()).toBe('');
	});

	test.each<[Record<string, string>, string]>([
		[{ DISCOVERY: 'consul' }, 'CONSUL_HTTP_ADDR: is required with DISCOVERY=consul'],
		[{ CONSUL_HTTP_ADDR: 'unix:///run/consul.sock' }, 'CONSUL_HTTP_ADDR: Bad address of Consul'],
	])('for %j says which setting', async (env, expected) => {
		const { errors, ended } = launch({ PORT: '0', ...env });
		expect(await ended).toBe(1);
		expect(errors()).toContain(expected);
		expect(errors()).not.toContain('    at ');
	});
});
