import { afterEach, describe, expect, test } from '@jest/globals';
import { type ChildService, eventually, freePort, startChildService } from '@paddock/testing';

let service: ChildService | undefined;
afterEach(async () => {
	await service?.stop();
});

// A shell connects the output and becomes the process.
const outputs: Readonly<Record<string, string>> = {
	'a full disk': 'exec "$0" "$@" >/dev/full 2>/dev/full',
	'a pipe whose reader has left after a line':
		'p=$(mktemp -u); mkfifo "$p"; { head -n 1 "$p"; rm "$p"; } >/dev/null & exec "$0" "$@" >"$p" 2>&1',
};
const programs: Readonly<Record<string, readonly [main: string, env: Record<string, string>, path: string]>> =
	{
		'a service': ['services/ping/src/main.ts', { SERVICE_INSTANCES: 'auth-service=http://127.0.0.1:1' }, '/'],
		'a gateway': ['gateway/src/main.ts', {}, '/actuator'],
		'a gateway with workers': ['gateway/src/main.ts', { WORKERS: '2' }, '/actuator'],
	};

function causeOf(output: string): string {
	return output === 'a full disk' ? 'ENOSPC' : 'EPIPE';
}

describe.each(Object.keys(outputs))('with %s as its output', (output) => {
	// The first request ended the process.
	test.each(Object.entries(programs))('%s serves requests and counts the lost lines', async (_name, of) => {
		const [main, env, prefix] = of;
		service = await startChildService({
			main,
			port: await freePort(),
			env: { CONTEXTS: 'ping', DRAIN_MS: '0', RATE_LIMIT_ANONYMOUS: '0', ...env },
			readyPath: prefix === '/' ? '/health' : `${prefix}/health/liveness`,
			command: ['/bin/sh', '-c', outputs[output] ?? '', process.execPath],
		});
		const { url } = service;
		for (let sent = 0; sent < 50; sent += 1) {
			const response = await fetch(`${url}/nowhere`);
			await response.arrayBuffer();
			expect(response.status).toBe(404);
		}
		const lost = new RegExp(`^dropped_log_lines_total\\{.*cause="${causeOf(output)}".*\\} (\\d+)$`, 'm');
		await eventually('the lost lines are counted', async () => {
			const metrics = await fetch(url + (prefix === '/' ? '/metrics' : `${prefix}/prometheus`));
			return Number(lost.exec(await metrics.text())?.[1]) >= 50;
		});
	});
});
