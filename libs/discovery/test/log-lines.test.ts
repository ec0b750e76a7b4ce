import { afterEach, expect, test } from '@jest/globals';
import { createLogger } from '@paddock/telemetry';
import { eventually } from '../../testing/src/eventually.ts';
import { openConsulRegistry } from '../src/consul-registry.ts';
import { respond, startMisbehavingConsul } from './misbehaving-consul.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

// The lines had the name of the watched service instead of the process: a gateway's lines about discovery could not be found
// among its others, and looked as if the service had written them.
test('a line about a service is still one of the process that writes it', async () => {
	const hostile = JSON.stringify([{ Service: { ID: 'x', Address: '169.254.169.254', Port: 80 } }]);
	const good = JSON.stringify([{ Service: { ID: 'y', Address: '127.0.0.1', Port: 80 } }]);
	const consul = await startMisbehavingConsul((response, call) => {
		if (call === 1) respond(response, hostile, '5');
		else if (call === 2) response.writeHead(500).end();
		else respond(response, good, '5');
	});
	cleanups.push(consul.stop);
	const logger = createLogger({ service: 'gateway', level: 'info' });
	for (const transport of logger.transports) transport.silent = true;
	const lines: Record<string, unknown>[] = [];
	logger.on('data', (info: Record<symbol, string>) =>
		lines.push(JSON.parse(info[Symbol.for('message')] ?? '')),
	);
	const registry = openConsulRegistry({
		address: consul.address,
		logger,
		now: () => new Date(),
		settings: { pauseMs: 10, backoffMinMs: 10, backoffMaxMs: 20 },
	});
	cleanups.push(registry.close);
	registry.watch('horses-service');
	const said = () =>
		lines.filter(({ upstream }) => upstream === 'horses-service').map(({ message }) => message);
	await eventually('all of them', () => {
		const known = [
			'registry entries refused',
			'registry query failed',
			'registry responds again',
			'instances changed',
		];
		return known.every((message) => said().includes(message));
	});
	expect(lines.map(({ service }) => service)).toEqual(lines.map(() => 'gateway'));
});
