import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStaticRegistry, parseServiceInstances, type Registry } from '@paddock/discovery';
import { openPeers, type Peers } from '@paddock/peers';
import { type AuthKeys, openAuthKeys, routesWith } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { eventually, startTestService, type TestService } from '@paddock/testing';
import { z } from 'zod';
import { type System, startSystem, systemServiceSecrets } from '../system.ts';

const now = () => new Date();
const logger = silentLogger();
const caller = z.strictObject({ id: z.string(), scopes: z.array(z.string()), requestId: z.string() });
const shared = {
	method: 'get',
	readers: 'services',
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

// A real auth; in place of members a service that returns its caller.
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
	return openStaticRegistry({ instances: parseServiceInstances(list) });
}

function open(client: string, secret = ''): Peers {
	const metrics = createMetrics({ prefix: 'service', service: client });
	return openPeers({ registry, calls: ['members'], client, secret, logger, metrics, now });
}

const callService = (from: Peers, path: `/${string}`) =>
	from.peer('members-service').get({
		path,
		schema: caller,
		credentials: 'service',
		context: { requestId: 'r-1', signal: new AbortController().signal },
	});

describe('a service that calls another one', () => {
	test('is known by its own token, and may what its scopes say', async () => {
		expect(await callService(peers, '/internal/members/lookup')).toEqual({
			id: '5e000000-0000-4000-8000-000000000003',
			scopes: ['mails:send', 'members:lookup', 'horses:lookup'],
			requestId: 'r-1',
		});
		await expect(callService(peers, '/internal/members/change')).rejects.toMatchObject({
			code: 'SERVICE_UNAVAILABLE',
		});
	});

	test('is refused with the secret of another one', async () => {
		const impostor = open('horses-service', systemServiceSecrets.events);
		try {
			await expect(callService(impostor, '/internal/members/lookup')).rejects.toMatchObject({
				code: 'SERVICE_UNAVAILABLE',
				context: { context: 'auth' },
			});
		} finally {
			await impostor.close();
		}
	});

	test('continues while auth is frozen; one without a token fails', async () => {
		const [auth] = system.services.auth;
		const newcomer = open('events-service', systemServiceSecrets.events);
		auth?.signal('SIGSTOP');
		try {
			expect(await callService(peers, '/internal/members/lookup')).toMatchObject({ requestId: 'r-1' });
			await expect(callService(newcomer, '/internal/members/lookup')).rejects.toMatchObject({
				code: 'SERVICE_UNAVAILABLE',
			});
		} finally {
			auth?.signal('SIGCONT');
		}
		await eventually('the newcomer gets its token', () =>
			callService(newcomer, '/internal/members/lookup').then(
				() => true,
				() => false,
			),
		);
		await newcomer.close();
	});
});
