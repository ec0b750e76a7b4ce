import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';

let gateway: GatewayProcess | undefined;

afterEach(() => {
	gateway?.child.kill('SIGKILL');
});

/** A gateway whose log is no longer read, with more buffered lines than the pipe can hold. */
async function startUnread(
	settings: Record<string, string>,
): Promise<{ child: GatewayProcess['child']; url: string }> {
	gateway = await startGatewayProcess({ CONTEXTS: 'ping', ...settings });
	const { child, port } = gateway;
	child.stdout?.pause();
	const url = `http://127.0.0.1:${port}/${'x'.repeat(900)}`;
	for (let sent = 0; sent < 40; sent += 1)
		await Promise.all(Array.from({ length: 25 }, async () => (await fetch(url)).text()));
	return { child, url };
}

async function exitCodeWithin(child: GatewayProcess['child'], deadlineMs: number): Promise<unknown> {
	const deadline = AbortSignal.timeout(deadlineMs);
	return child.exitCode ?? (await once(child, 'exit', { signal: deadline }))[0];
}

// It waited for the last lines to be written, which never happened.
test('a gateway whose log is not read exits on SIGTERM', async () => {
	const { child } = await startUnread({});
	child.kill('SIGTERM');
	expect(await exitCodeWithin(child, 5_000)).toBe(0);
});

// The output of an exited worker can't end before it has been read.
test('a gateway with workers whose log is not read exits on SIGTERM', async () => {
	const { child } = await startUnread({ WORKERS: '2' });
	child.kill('SIGTERM');
	expect(await exitCodeWithin(child, 15_000)).toBe(0);
}, 60_000);

// Writing the last lines failed, and the error prevented the exit.
test('a gateway whose log is not read exits at once on a second signal', async () => {
	const { child, url } = await startUnread({ DRAIN_MS: '60000' });
	child.kill('SIGTERM');
	// Signals within the first second count as one.
	const at = performance.now() + 1_200;
	await eventually('a signal counts as the second', () => performance.now() > at);
	await (await fetch(url)).text();
	child.kill('SIGTERM');
	expect(await exitCodeWithin(child, 5_000)).toBe(1);
});
