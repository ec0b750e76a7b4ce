import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConsulAgent, eventually, startConsulAgent } from '@paddock/testing';
import { describeWithConsul } from '../../libs/testing/src/describe-with-consul.ts';
import { startSteadyLoad, statusCounts } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';
import { describeLong } from './describe-long.ts';

const flappingMs = 60_000;
const periodMs = 200;
const flapperCount = 10;

interface Flapper {
	readonly id: string;
	readonly port: number;
	readonly server: Server;
	/** Number of completed requests. */
	completed: number;
	registered: boolean;
}

/** A healthy instance of ping, whether it is registered or not. */
async function startFlapper(index: number): Promise<Flapper> {
	const server = createServer((_req, res) => {
		flapper.completed += 1;
		res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
	});
	server.keepAliveTimeout = 600_000;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const flapper: Flapper = { id: `flapper-${index}`, port, server, completed: 0, registered: false };
	return flapper;
}

function connectionsOf({ server }: Flapper): Promise<number> {
	return new Promise((resolve, reject) => {
		server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
	});
}

describeLong(process.env, 'registrations that change every 200 ms for a minute', () => {
	describeWithConsul('at a gateway under load', () => {
		let consul: ConsulAgent;
		let system: System;
		let flappers: Flapper[];

		beforeAll(async () => {
			consul = await startConsulAgent();
			system = await startSystem({ consulAddress: consul.address, contexts: ['auth', 'ping'] });
			flappers = await Promise.all(Array.from({ length: flapperCount }, (_, index) => startFlapper(index)));
		}, 60_000);

		afterAll(async () => {
			await system?.stop();
			await consul?.stop();
			for (const { server } of flappers ?? []) {
				server.closeAllConnections();
				server.close();
			}
		}, 30_000);

		const flap = async (flapper: Flapper): Promise<void> => {
			const [path, body] = flapper.registered
				? [`deregister/${flapper.id}`, undefined]
				: ['register', { ID: flapper.id, Name: 'ping-service', Address: '127.0.0.1', Port: flapper.port }];
			const response = await fetch(`http://${consul.address}/v1/agent/service/${path}`, {
				method: 'PUT',
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
			expect(response.status).toBe(200);
			flapper.registered = !flapper.registered;
		};
		const metrics = async (): Promise<string> =>
			(await fetch(`${system.gateway.url}/actuator/prometheus`)).text();
		const breakers = async (): Promise<number> =>
			((await metrics()).match(/^gateway_circuit_breaker_state\{[^}]*ping-service/gm) ?? []).length;
		const value = async (name: RegExp): Promise<number> =>
			[...(await metrics()).matchAll(name)].reduce((sum, [, number]) => sum + Number(number), 0);
		const resources = () => value(/^nodejs_active_resources\{[^}]*\} (\d+)/gm);

		/** Changes one registration per period, then removes all. @returns the number of changes seen by the gateway */
		const flapFor = async (durationMs: number): Promise<number> => {
			let changes = 0;
			let known = 1;
			const endMs = performance.now() + durationMs;
			for (let round = 0; performance.now() < endMs; round += 1) {
				const dueMs = performance.now() + periodMs;
				const flapper = flappers[(round * 7) % flapperCount];
				if (flapper !== undefined) await flap(flapper);
				const now = await breakers();
				if (now !== known) changes += 1;
				known = now;
				await eventually('the next change is due', () => performance.now() >= dueMs, 1_000);
			}
			for (const flapper of flappers.filter(({ registered }) => registered)) await flap(flapper);
			await eventually('only the real instance remains', async () => (await breakers()) === 1);
			return changes;
		};

		test('no request fails, and no breakers, connections, timers or listeners leak', async () => {
			const load = startSteadyLoad(100, { port: system.gateway.port, path: '/api/ping' });
			// Compiled code, caches and connections reach their size during the first seconds.
			await flapFor(5_000);
			const before = await resources();
			const changes = await flapFor(flappingMs);
			expect(changes).toBeGreaterThan(20);
			for (const flapper of flappers) {
				expect(flapper.completed).toBeGreaterThan(0);
				await eventually('connections are closed', async () => (await connectionsOf(flapper)) === 0, 15_000);
			}
			await eventually(
				'no more sockets and timers than before',
				async () => (await resources()) <= before + 2,
			);
			expect(await value(/^gateway_upstream_in_flight\{[^}]*flapper[^}]*\} (\d+)/gm)).toBe(0);
			const responses = await load.stop();
			expect(statusCounts(responses)).toEqual({ 200: responses.length });
			// Node warns of leaked listeners.
			expect(system.gateway.output()).not.toMatch(/Warning|uncaught|unhandled/);
		}, 180_000);
	});
});
