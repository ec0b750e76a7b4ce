import { afterEach, expect, test } from '@jest/globals';
import { createLogger, silentLogger } from '@paddock/telemetry';
import { eventually } from '../../testing/src/eventually.ts';
import type { ConsulSettings } from '../src/consul-access.ts';
import { openConsulRegistry } from '../src/consul-registry.ts';
import { type Behaviour, respond, startMisbehavingConsul } from './misbehaving-consul.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const unresponsive: Behaviour = () => undefined;

async function start(behaviour: Behaviour, paths: RegExp) {
	const consul = await startMisbehavingConsul(behaviour, paths);
	cleanups.push(consul.stop);
	return consul;
}

function open(address: string, settings: Partial<ConsulSettings>, logger = silentLogger()) {
	const registry = openConsulRegistry({ address, logger, now: () => new Date(), settings });
	cleanups.push(registry.close);
	return registry;
}

// The brackets of the address were taken as part of a name.
test('a Consul at an IPv6 address is called', async () => {
	const consul = await startMisbehavingConsul(unresponsive, undefined, '::1');
	cleanups.push(consul.stop);
	const registry = open(consul.address, {});
	await eventually('the leader is known', () => registry.status().leader !== undefined);
});

// The common limit of all attempts was that of one, so it had expired when the second address was to be called.
test('a shared value is read at the second address if the first one does not respond', async () => {
	const value = JSON.stringify([
		{ Key: 'key/a', Value: Buffer.from('stored').toString('base64'), ModifyIndex: 7 },
	]);
	const frozen = await start(unresponsive, /^\/v1\/kv\//);
	const good = await start((response) => respond(response, value, '7'), /^\/v1\/kv\//);
	const registry = open(`${frozen.address},${good.address}`, { callTimeoutMs: 200 });
	expect(await registry.sharedValues?.('key').read()).toEqual(
		new Map([['a', { text: 'stored', version: '7' }]]),
	);
});

// One limit covered both steps, so the catalog had no time left.
test('an instance whose agent does not respond is removed from the catalog', async () => {
	const paths = /^\/v1\/(agent\/service\/deregister|health\/service|catalog\/deregister)/;
	const entry = { Node: { Node: 'one' }, Service: { ID: 'horses-1', Address: '127.0.0.1', Port: 7001 } };
	const consul = await start((response, _call, { url = '' }) => {
		if (url.startsWith('/v1/health/')) respond(response, JSON.stringify([entry]));
		if (url.startsWith('/v1/catalog/')) respond(response, 'true');
	}, paths);
	const handle = open(consul.address, {}).register({
		...{ name: 'horses-service', id: 'horses-1', address: '127.0.0.1', port: 7001, healthPath: '/health' },
		...{ checkIntervalMs: 10_000, checkTimeoutMs: 1_000 },
	});
	await eventually('registered', () => handle.registered());
	await handle.deregister();
	expect(consul.queries.map(({ url }) => new URL(url, 'http://consul').pathname)).toEqual([
		'/v1/agent/service/deregister/horses-1',
		'/v1/health/service/horses-service',
		'/v1/catalog/deregister',
	]);
});

test('the change of the address is logged once until a call of the same kind succeeds', async () => {
	const paths = /^\/v1\/health\/service\//;
	const noLeader: Behaviour = (response) => response.writeHead(500).end('No cluster leader');
	const [one, other] = [await start(noLeader, paths), await start(noLeader, paths)];
	const logger = createLogger({ service: 'gateway', level: 'info' });
	for (const transport of logger.transports) transport.silent = true;
	const changes: string[] = [];
	logger.on('data', ({ message }: { message: string }) => {
		if (message === 'registry address changed') changes.push(message);
	});
	const timing = { pauseMs: 10, backoffMinMs: 10, backoffMaxMs: 20, probeMs: 10 };
	const watch = open(`${one.address},${other.address}`, timing, logger).watch('horses-service');
	const queries = () => one.queries.length + other.queries.length;
	await eventually('ten queries', () => queries() >= 10);
	expect(changes).toHaveLength(1);
	for (const consul of [one, other]) consul.behave((response) => respond(response, '[]', '5'));
	await eventually('a response', () => watch.responded());
	for (const consul of [one, other]) consul.behave(noLeader);
	await eventually('another change', () => changes.length === 2);
});
