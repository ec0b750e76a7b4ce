import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@paddock/testing';
import { killAfterMs, startNodeProcess } from '../../scripts/start/node-process.ts';
import { makeDataDir } from './started-system.ts';

let folder: string;
let data: Awaited<ReturnType<typeof makeDataDir>>;
beforeAll(async () => {
	data = await makeDataDir();
	folder = dirname(data.path);
});
afterAll(() => data.remove());

const server = `
import { createServer } from 'node:http';
createServer((req, res) => res.end(() => req.url === '/exit' && process.exit(3))).listen(process.env.PORT, '127.0.0.1');`;

async function startServer(report: (line: string) => void) {
	const [main, logFile] = [join(folder, 'server.mjs'), join(folder, 'server.log')];
	await writeFile(main, server);
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const { PATH = '' } = process.env;
	const environment = { PATH, PORT: String(port) };
	const options = { name: 'x', main, environment, logFile, readyUrl: url, report };
	return { url, logFile, running: await startNodeProcess(options, new AbortController().signal, 1) };
}

// Each restart, and later each of more than ten processes, added a listener, until Node.js warned of a leak.
test('a process adds no listener to the start', async () => {
	const before = process.listenerCount('exit');
	const { url, running } = await startServer(() => {});
	expect(process.listenerCount('exit')).toBe(before);
	await fetch(`${url}/exit`).then(
		(response) => response.arrayBuffer(),
		() => {}, // The process may exit before its response has arrived.
	);
	expect(await running.exited).toBe('exit code 3');
	expect(process.listenerCount('exit')).toBe(before);
});

// At Ctrl-C, services reported those missing that were stopped some milliseconds before them.
test('warnings since the stop began are not reported, errors are', async () => {
	const reported: string[] = [];
	const { logFile, running } = await startServer((line) => reported.push(line));
	for (const level of ['warn', 'error'])
		appendFileSync(logFile, `${JSON.stringify({ level, message: 'instances changed' })}\n`);
	await running.stop();
	expect(reported).toEqual(['error: instances changed']);
});

test('a failed start is reported with the last words of the process, and its name once', async () => {
	const [main, logFile] = [join(folder, 'failing.mjs'), join(folder, 'failing.log')];
	await writeFile(main, `console.error('x: no licence'); process.exit(1);`);
	const { PATH = '' } = process.env;
	const options = {
		name: 'x',
		main,
		environment: { PATH },
		logFile,
		readyUrl: 'http://127.0.0.1:1',
		report: () => {},
	};
	await expect(startNodeProcess(options, new AbortController().signal, 1)).rejects.toThrow(
		/^x did not start: no licence$/,
	);
});

test.each([
	[{}, 25_000],
	[{ SHUTDOWN_TIMEOUT_MS: '120000', DRAIN_MS: '60000' }, 189_000],
])('a process with %j is killed after %d ms', (environment, afterMs) => {
	expect(killAfterMs(environment)).toBe(afterMs);
});
