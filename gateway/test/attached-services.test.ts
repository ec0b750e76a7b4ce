import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '@paddock/identity';
import { silentLogger } from '@paddock/telemetry';
import { createSettableRegistry, eventually, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { parse } from 'yaml';
import { openAttachedContexts } from '../src/attached/attached-contexts.ts';
import { createPreparation } from '../src/attached/prepared-contexts.ts';
import { readConfig } from '../src/config/config.ts';
import { readOwnContracts } from '../src/contexts/contracts.ts';
import { readPortalFiles } from '../src/portal/portal-documents.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const examples = fileURLToPath(new URL('../../docs/examples/attached/', import.meta.url));
const userId = randomUUID();
const contextsFile = join(examples, 'contexts.yaml');

describe('services that CONTEXTS_FILE attaches', () => {
	let gateway: TestGateway;
	let farriers: TestUpstream;
	beforeAll(async () => {
		const contract = await readFile(join(examples, 'farriers.openapi.json'));
		farriers = await recordingUpstream(
			(req, res) => {
				const json = req.url === '/openapi.json' ? contract : '["Eisenhut"]';
				res.writeHead(200, { 'Content-Type': 'application/json' }).end(json);
			},
			{ unrecorded: '/openapi.json' },
		);
		gateway = await startTestGateway({
			portalFiles: await readPortalFiles(),
			services: { farriers: [farriers.url] },
			settings: { CONTEXTS: 'auth,ping', CONTEXTS_FILE: contextsFile },
		});
		await eventually('the contract is read', async () => (await call('GET', '/api/farriers')).status === 200);
		farriers.requests.length = 0;
	});
	afterAll(async () => {
		await gateway.close();
		await farriers.close();
	});
	const call = (method: string, path: string, { headers = {}, ...claims }: Claims = {}) => {
		const token = claims.roles === undefined ? undefined : gateway.identity.sign({ userId, ...claims });
		const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
		return fetch(gateway.url + path, { method, headers: { ...authorization, ...headers } });
	};

	test('only what the contract declares as public needs no token', async () => {
		const response = await call('GET', '/api/farriers');
		expect([response.status, await response.json()]).toEqual([200, wrapped(['Eisenhut'])]);
		for (const [method, path] of [
			['POST', '/api/farriers'],
			['GET', '/api/farriers/Eisenhut'],
			['GET', '/api/farriers/undeclared/path'],
			['DELETE', '/api/farriers'],
		] as const)
			expect([method, path, (await call(method, path)).status]).toEqual([method, path, 401]);
		for (const path of ['/api/farriersx', '/api/farriers/'])
			expect((await call('GET', path)).status).toBe(404);
	});

	test('roles that the contract requires are enforced', async () => {
		const refused = await call('POST', '/api/farriers', { roles: ['MEMBER'] });
		expect([refused.status, ((await refused.json()) as Refusal).data.code]).toEqual([403, 'FORBIDDEN']);
		expect((await call('GET', '/api/farriers/Eisenhut', { roles: ['MEMBER'] })).status).toBe(200);
	});

	test('the gateway alone says who calls, and keeps the token', async () => {
		farriers.requests.length = 0;
		const forged = { 'X-User-Id': 'forged', 'X-User-Roles': 'ADMIN', X_User_Id: 'forged' };
		await call('GET', '/api/farriers/Eisenhut', { roles: ['MEMBER', 'ORGANISER'], headers: forged });
		await call('GET', '/api/farriers', { headers: forged });
		const [known, anonymous] = farriers.requests.map(({ headers }) => headers);
		expect(known).toMatchObject({ 'x-user-id': userId, 'x-user-roles': 'MEMBER,ORGANISER' });
		for (const name of ['authorization', 'x_user_id']) expect(known).not.toHaveProperty(name);
		for (const name of ['x-user-id', 'x-user-roles', 'x_user_id']) expect(anonymous).not.toHaveProperty(name);
	});

	test('the documents, the explorer, the collection and the pages include them', async () => {
		const text = async (path: string, accept = '*/*') =>
			(await fetch(gateway.url + path, { headers: { Accept: accept } })).text();
		const document = parse(await text('/openapi.yaml'));
		await SwaggerParser.validate(structuredClone(document));
		expect(document.paths['/api/farriers'].get).toMatchObject({
			operationId: 'farriers_listFarriers',
			security: [],
		});
		expect(document.paths['/api/farriers'].post).not.toHaveProperty('security');
		expect(document.components.schemas).toHaveProperty(['farriers.Farrier']);
		expect(JSON.parse(await text('/assets/openapi.json'))).toEqual(document);
		expect(Object.keys(parse(await text('/openapi/farriers.yaml')).paths)).toEqual([
			'/api/farriers',
			'/api/farriers/{name}',
		]);
		const { item } = JSON.parse(await text('/postman/collection.json'));
		const folder = item.find(({ name }: { name: string }) => name === 'farriers');
		expect(folder.item.map(({ request }: { request: { method: string } }) => request.method)).toEqual([
			'GET',
			'POST',
			'GET',
		]);
		expect(await text('/', 'text/html')).toContain('data-context="farriers"');
		const { data } = JSON.parse(await text('/actuator/health'));
		expect(data.components.farriers).toMatchObject({ status: 'UP', critical: false });
		expect(data.components.clocks).toMatchObject({ status: 'DOWN', reason: 'NO_INSTANCES' });
		expect(data.status).toBe('DEGRADED');
	});
});

const wrapped = (data: unknown) => ({ success: true, data, message: 'OK', timestamp: expect.any(String) });

interface Refusal {
	readonly data: { readonly code: string };
}

interface Claims {
	readonly roles?: readonly Role[];
	readonly headers?: Record<string, string>;
}

describe('a CONTEXTS_FILE that is not usable', () => {
	let folder: string;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'paddock-attached-'));
		await writeFile(
			join(folder, 'ok.yaml'),
			`openapi: "3.0.3"\ninfo: { title: A, version: "1" }\npaths: { /api/a: { get: {} } }`,
		);
		await writeFile(
			join(folder, 'foreign.yaml'),
			`openapi: "3.0.3"\ninfo: { title: A, version: "1" }\npaths: { /api/horses: { get: { security: [] } } }`,
		);
		await writeFile(
			join(folder, 'trace.yaml'),
			`openapi: "3.0.3"\ninfo: { title: A, version: "1" }\npaths: { /api/j: { trace: {} } }`,
		);
		await writeFile(
			join(folder, 'future.yaml'),
			`openapi: "4.0.0"\ninfo: { title: A, version: "1" }\npaths: {}`,
		);
	});
	afterAll(() => rm(folder, { recursive: true }));

	test('is refused with all of its violations', async () => {
		const file = join(folder, 'contexts.yaml');
		const entry = { service: 'a', contract: 'ok.yaml' };
		const entries = [
			{ ...entry, name: 'horses', prefix: '/api/a' },
			{ ...entry, name: 'b', prefix: '/api' },
			{ ...entry, name: 'c', prefix: '/api/horses', service: 'horses-service' },
			{ ...entry, name: 'd', prefix: '/auth/x', service: 'd' },
			{ ...entry, name: 'e', prefix: '/actuator', service: 'e' },
			{ ...entry, name: 'app', prefix: '/app', service: 'app' },
			{ ...entry, name: 'f', prefix: '/api/a/b', service: 'f' },
			{ ...entry, name: 'gateway', prefix: '/api/g', service: 'g', contract: 'foreign.yaml' },
			{ ...entry, name: 'h', prefix: '/api/h', service: 'h', contract: 'future.yaml' },
			{ ...entry, name: 'i', prefix: '/api/i', service: 'i', contract: 'missing.yaml' },
			{ ...entry, name: 'j', prefix: '/api/j', service: 'j', contract: 'trace.yaml' },
		];
		await writeFile(file, JSON.stringify(entries));
		const { message } = await failure({ CONTEXTS_FILE: file });
		for (const violation of ['6.prefix: must be one or two segments']) expect(message).toContain(violation);
		await writeFile(file, JSON.stringify(entries.filter(({ name }) => name !== 'f')));
		const { message: all } = await failure({ CONTEXTS_FILE: file });
		for (const violation of [
			'horses: the name is taken',
			'b: /api conflicts with ',
			'b: the service a belongs to another context',
			'c: /api/horses conflicts with /api',
			'c: the service horses-service belongs to another context',
			'd: /auth/x conflicts with /auth',
			'e: /actuator conflicts with /actuator',
			'app: /app conflicts with /app',
			'gateway: the name is taken',
			'paths./api/horses: must be below /api/g',
			'paths./api/j.trace: is not forwarded',
			'future.yaml: openapi: must be a version 3.0.x',
			'missing.yaml',
		])
			expect(all).toContain(violation);
	});

	test.each([
		'{',
		'- {}',
		'name: a',
		'- { name: a, prefix: /a, service: a, contract: ok.yaml, critcal: true }',
	])('is refused if it is %j', async (content) => {
		const file = join(folder, 'contexts.yaml');
		await writeFile(file, content);
		expect((await failure({ CONTEXTS_FILE: file })).name).toBe('ContractsError');
	});

	const failure = async (settings: { CONTEXTS_FILE: string }) =>
		openAttachedContexts({
			config: readConfig({ NODE_ENV: 'test', ...settings }),
			own: await readOwnContracts(),
			registry: createSettableRegistry({}),
			preparation: createPreparation(),
			logger: silentLogger(),
			now: () => new Date(),
		}).then(
			() => new Error('none'),
			(error: Error) => error,
		);
});
