import { expect, test } from '@jest/globals';
import { readConfig } from '../../gateway/src/config/config.ts';
import { type ProxyName, shippedFile } from './shipped-proxy.ts';

// Compared with the defaults: a change of these settings may need one of the shipped files.
const gateway = readConfig({});
const unitsMs = { ms: 1, s: 1_000 };

/** The values of a directive or parameter in milliseconds. */
async function durationsMs(name: ProxyName, directive: string): Promise<number[]> {
	const found = [
		...(await shippedFile(name)).matchAll(new RegExp(`(?<!set-)${directive}[ =](\\d+)(ms|s)\\b`, 'g')),
	];
	expect({ directive, found: found.length }).not.toEqual({ directive, found: 0 });
	return found.map(([, value, unit]) => Number(value) * unitsMs[unit as keyof typeof unitsMs]);
}

test('haproxy notices a draining gateway before it stops accepting requests', async () => {
	const fall = Number(/ fall (\d+)/.exec(await shippedFile('haproxy'))?.[1]);
	const [interMs = Number.NaN] = await durationsMs('haproxy', 'inter');
	expect(fall * interMs).toBeLessThan(gateway.DRAIN_MS);
});

test.each([
	['haproxy', ['timeout server', 'timeout client']],
	['nginx', ['proxy_read_timeout', 'proxy_send_timeout', 'client_body_timeout']],
] as const)('the timeouts of %s are longer than those of the gateway', async (name, directives) => {
	const { DEADLINE_MS, IDLE_TIMEOUT_MS, REQUEST_TIMEOUT_MS } = gateway;
	const longestMs = Math.max(DEADLINE_MS, IDLE_TIMEOUT_MS, REQUEST_TIMEOUT_MS);
	for (const directive of directives)
		for (const ms of await durationsMs(name, directive)) expect(ms).toBeGreaterThan(longestMs);
});

test.each([
	['haproxy', 'timeout http-keep-alive'],
	['nginx', 'keepalive_timeout'],
] as const)('%s closes idle connections before the gateway does', async (name, directive) => {
	for (const ms of await durationsMs(name, directive)) expect(ms).toBeLessThan(gateway.KEEP_ALIVE_TIMEOUT_MS);
});

test('haproxy sends a GET to another gateway only after the deadline of the first one', async () => {
	const [ms] = await durationsMs('haproxy', 'http-request set-timeout server');
	expect(ms).toBeGreaterThan(gateway.DEADLINE_MS);
});

test('haproxy limits the time without acknowledgement at each gateway', async () => {
	// In default-server, tcp-ut has no effect on the servers of HAProxy 2.6.
	const servers = (await shippedFile('haproxy')).match(/^\tserver .+$/gm);
	expect(servers).toEqual([expect.stringContaining(' tcp-ut 3s'), expect.stringContaining(' tcp-ut 3s')]);
});
