import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { createTestIdentity, type DnsServer, eventually, patientMs, startDnsServer } from '@paddock/testing';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { standInAuth } from './stand-in-auth.ts';

const name = 'masterdata.paddock.svc.cluster.local';
const closing: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
});

/** A service on an address of its own, as each pod has; `hangs` accepts requests and never responds. */
async function startPod(
	host: string,
	port: number,
	hangs: boolean,
): Promise<{ port: number; hits(): number }> {
	let hits = 0;
	const server: Server = createServer((req, res) => {
		if (req.url?.startsWith('/api') === true) hits += 1;
		if (!hangs) res.setHeader('content-type', 'application/json').end('{"success":true}');
	});
	await new Promise<void>((resolve) => server.listen(port, host, resolve));
	closing.push(() => {
		server.closeAllConnections();
		server.close();
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('not a TCP server');
	return { port: address.port, hits: () => hits };
}

async function startGateway(dns: DnsServer, port: number): Promise<GatewayProcess & { url: string }> {
	const auth = await standInAuth((await createTestIdentity()).jwks);
	closing.push(auth.close);
	const gateway = await startGatewayProcess({
		DISCOVERY: 'dns',
		DNS_SERVERS: dns.address,
		DNS_REFRESH_MS: '500',
		SERVICE_INSTANCES: `auth-service=${auth.url},masterdata-service=http://${name}:${port}`,
		CONTEXTS: 'auth,masterdata',
		RATE_LIMIT_ANONYMOUS: '0',
		...{
			RESPONSE_TIMEOUT_MS: patientMs(500),
			BREAKER_WINDOW_MS: '180000',
			DEADLINE_MS: patientMs(10_000, 300_000),
		},
	});
	closing.push(gateway.stop);
	const url = `http://127.0.0.1:${gateway.port}`;
	await eventually('ready', async () => (await fetch(`${url}/actuator/health/readiness`)).status === 200);
	return { ...gateway, url };
}

// With one instance for the name both pods shared a breaker, and 83 of 110 GETs failed.
test('one of two pods behind a DNS name hangs: its own breaker opens, and no GET fails', async () => {
	const dns = await startDnsServer();
	closing.push(dns.stop);
	const good = await startPod('127.0.0.1', 0, false);
	const hung = await startPod('127.0.0.2', good.port, true);
	dns.setAddresses(name, ['127.0.0.1', '127.0.0.2']);
	const { url } = await startGateway(dns, good.port);
	const statuses: number[] = [];
	// At most as many at once as the retry budget always allows.
	for (let count = 0; count < 110; count += 2) {
		const some = Array.from({ length: 2 }, async () => {
			const response = await fetch(`${url}/api/masterdata/countries`);
			await response.arrayBuffer();
			return response.status;
		});
		statuses.push(...(await Promise.all(some)));
	}
	expect(statuses.filter((status) => status !== 200)).toEqual([]);
	expect(hung.hits()).toBeGreaterThan(0);
	expect(hung.hits()).toBeLessThan(40);
}, 60_000);

test('a removed address gets no further requests, and a lost DNS changes nothing', async () => {
	const dns = await startDnsServer();
	closing.push(dns.stop);
	const first = await startPod('127.0.0.1', 0, false);
	const second = await startPod('127.0.0.2', first.port, false);
	dns.setAddresses(name, ['127.0.0.1', '127.0.0.2']);
	const { url } = await startGateway(dns, first.port);
	const get = async () => {
		const response = await fetch(`${url}/api/masterdata/countries`);
		await response.arrayBuffer();
		expect(response.status).toBe(200);
	};
	const known = async (): Promise<{ id: string }[]> => {
		const response = await fetch(`${url}/actuator/health/masterdata`);
		const { data } = (await response.json()) as { data: { instances: { id: string }[] } };
		return data.instances;
	};
	await eventually('both get requests', async () => {
		await get();
		return first.hits() > 0 && second.hits() > 0;
	});
	dns.setAddresses(name, ['127.0.0.1']);
	await eventually('one instance', async () => (await known()).length === 1);
	const hits = second.hits();
	for (let count = 0; count < 20; count += 1) await get();
	expect(second.hits()).toBe(hits);

	dns.behave('SERVFAIL');
	await eventually('discovery is degraded', async () => {
		const response = await fetch(`${url}/actuator/health/discovery`);
		const { data } = (await response.json()) as { data: { status: string; kind: string } };
		return data.kind === 'dns' && data.status === 'DEGRADED';
	});
	await get();
}, 60_000);
