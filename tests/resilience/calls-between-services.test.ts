import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createStaticRegistry, parseServiceInstances, type Registry } from '@paddock/discovery';
import { createPeers, type Peers } from '@paddock/peers';
import { type AuthKeys, openAuthKeys, routesWith } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	eventually,
	type System,
	startSystem,
	startTestService,
	systemServiceSecrets,
	type TestService,
} from '@paddock/testing';
import { z } from 'zod';

const now = () => new Date();
const logger = silentLogger();
const caller = z.strictObject({ id: z.string(), scopes: z.array(z.string()), requestId: z.string() });
const shared = {
	method: 'get',
	summary: 'For tests',
	message: 'Done',
	output: caller,
} as const;
const route = routesWith<object>('internal');
const routes = ['members:lookup', 'members:change'].map((scope) =>
	route({
		...shared,
		path: `/internal/${scope.replace(':', '/')}`,
		operationId: scope.replace(':', ''),
		access: { scope },
		handler: ({ principal, requestId }) => ({
			id: principal.userId,
			scopes: [...principal.scopes],
			requestId,
		}),
	}),
);

let system: System;
let keys: AuthKeys;
let members: TestService;
let registry: Registry;
let peers: Peers;

// A real auth; in the place of members a service that tells who asked it.
beforeAll(async () => {
	system = await startSystem({ contexts: ['auth'] });
	const auth = `auth-service=${system.services.auth[0]?.url}`;
	keys = openAuthKeys({ registry: registryOf(auth), logger, now });
	members = await startTestService({
		opened: { routes, deps: {}, checks: [], close: async () => {} },
		keys: keys.keys,
		now,
	});
	registry = registryOf(`${auth},members-service=${members.url}`);
	peers = open('events-service', systemServiceSecrets.events);
}, 60_000);

afterAll(async () => {
	await peers?.close();
	await members?.close();
	keys?.close();
	await system?.stop();
});

function registryOf(list: string): Registry {
	return createStaticRegistry({ instances: parseServiceInstances(list) });
}

function open(client: string, secret = ''): Peers {
	const metrics = createMetrics({ prefix: 'service', service: client });
	return createPeers({ registry, calls: ['members'], client, secret, logger, metrics, now });
}

const ask = (from: Peers, path: `/${string}`) =>
	from.peer('members-service').get({
		path,
		schema: caller,
		credentials: 'service',
		context: { requestId: 'r-1', signal: new AbortController().signal },
	});

describe('a service that asks another one', () => {
	test('is known by its own token, and may what its scopes say', async () => {
		expect(await ask(peers, '/internal/members/lookup')).toEqual({
			id: '5e000000-0000-4000-8000-000000000003',
			scopes: ['members:lookup', 'horses:lookup'],
			requestId: 'r-1',
		});
		await expect(ask(peers, '/internal/members/change')).rejects.toMatchObject({
			code: 'SERVICE_UNAVAILABLE',
		});
	});

	test('gets nothing with the secret of another one', async () => {
		const impostor = open('horses-service', systemServiceSecrets.events);
		try {
			await expect(ask(impostor, '/internal/members/lookup')).rejects.toMatchObject({
				code: 'SERVICE_UNAVAILABLE',
				context: { context: 'auth' },
			});
		} finally {
			await impostor.close();
		}
	});

	test('goes on while auth is frozen, and one that has no token yet says that it cannot', async () => {
		const [auth] = system.services.auth;
		const newcomer = open('events-service', systemServiceSecrets.events);
		auth?.signal('SIGSTOP');
		try {
			expect(await ask(peers, '/internal/members/lookup')).toMatchObject({ requestId: 'r-1' });
			await expect(ask(newcomer, '/internal/members/lookup')).rejects.toMatchObject({
				code: 'SERVICE_UNAVAILABLE',
			});
		} finally {
			auth?.signal('SIGCONT');
		}
		await eventually('the newcomer gets its token', () =>
			ask(newcomer, '/internal/members/lookup').then(
				() => true,
				() => false,
			),
		);
		await newcomer.close();
	});
});
