import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Role } from '@paddock/identity';
import { eventually, patientMs, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { stringify } from 'yaml';
import { readPortalFiles } from '../src/portal/portal-documents.ts';
import { collectingLogger } from './collecting-logger.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const bearerless = { security: [] };
const contract = (paths: object = {}, more: object = {}) => ({
	openapi: '3.0.3',
	info: { title: 'Farriers', version: '1' },
	paths: {
		'/api/farriers': { get: bearerless, post: { 'x-roles': ['FEDERATION_OFFICER'] } },
		'/api/farriers/{name}': { get: {} },
		...paths,
	},
	...more,
});

/** A service whose contract the test sets. */
interface Service extends TestUpstream {
	/** The response to `GET /openapi.json`. */
	contract: (res: ServerResponse, etag: string | undefined) => void;
	reads: { etag: string | undefined; status: number }[];
	publish(document: unknown): void;
}

async function startService(): Promise<Service> {
	const upstream = await recordingUpstream(
		(req, res) => {
			if (req.url !== '/openapi.json') {
				res.writeHead(200, { 'Content-Type': 'application/json' }).end('["Eisenhut"]');
				return;
			}
			const etag = req.headers['if-none-match'];
			res.on('finish', () => service.reads.push({ etag, status: res.statusCode }));
			service.contract(res, etag);
		},
		{ unrecorded: '/openapi.json' },
	);
	const service: Service = Object.assign(upstream, {
		contract: (res: ServerResponse) => void res.writeHead(404).end(),
		reads: [],
		publish: (document: unknown) => {
			const text = typeof document === 'string' ? document : JSON.stringify(document);
			const own = `"${createHash('sha256').update(text).digest('hex').slice(0, 8)}"`;
			service.contract = (res, etag) => {
				if (etag === own) res.writeHead(304).end();
				else res.writeHead(200, { 'Content-Type': 'application/json', ETag: own }).end(text);
			};
		},
	});
	return service;
}

let folder: string;
let file: string;
let service: Service;
let other: Service;
let gateway: TestGateway;
let warnings: { readonly message: string }[] = [];

const entry = { name: 'farriers', prefix: '/api/farriers', service: 'farriers' };
const write = async (entries: unknown) => {
	await writeFile(`${file}.new`, typeof entries === 'string' ? entries : stringify(entries));
	await rename(`${file}.new`, file);
};

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'paddock-attached-'));
	file = join(folder, 'contexts.yaml');
	[service, other] = await Promise.all([startService(), startService()]);
	await write([]);
	gateway = await startTestGateway({
		portalFiles: await readPortalFiles(),
		logger: collectingLogger('warn', (line) => warnings.push(JSON.parse(line))),
		services: { farriers: [service.url], other: [other.url] },
		settings: {
			...{ CONTEXTS: 'auth,ping', CONTEXTS_FILE: file, CONTRACT_REFRESH_MS: '1000' },
			...{
				LAST_KNOWN_DIR: folder,
				DEADLINE_MS: patientMs(500),
				RESPONSE_TIMEOUT_MS: patientMs(400),
				REQUEST_TIMEOUT_MS: patientMs(500),
				BREAKER_WINDOW_MS: '180000',
			},
			HEADERS_TIMEOUT_MS: patientMs(400),
		},
	});
});
afterAll(async () => {
	await gateway.close();
	await Promise.all([service.close(), other.close()]);
	await rm(folder, { recursive: true });
});
afterEach(async () => {
	await write([]);
	await gateway.opened.reloadContexts();
	service.requests.length = 0;
});

const attach = async (...entries: object[]) => {
	await write(entries);
	await gateway.opened.reloadContexts();
};
const call = (path: string, { method = 'GET', roles, ...init }: RequestInit & { roles?: Role[] } = {}) => {
	const token = roles && gateway.identity.sign({ roles });
	const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	return fetch(gateway.url + path, { ...init, method, headers: { ...authorization, ...init.headers } });
};
const statusOf = async (path: string, options?: Parameters<typeof call>[1]) => {
	const response = await call(path, options);
	await response.arrayBuffer();
	return response.status;
};
interface Json {
	readonly [key: string]: Json & string & number & Json[];
}
const data = async (path: string, options?: Parameters<typeof call>[1]) =>
	((await (await call(path, options)).json()) as { data: Json }).data;
const stateOf = async (name = 'farriers') => {
	const { contexts } = (await data('/actuator/contexts')) as unknown as { contexts: Json[] };
	return contexts.find((each) => String(each['name']) === name)?.['contract'];
};
const isServed = (path = '/api/farriers') =>
	eventually(`${path} is served`, async () => (await statusOf(path)) === 200);
const hasProblem = (text: string) =>
	eventually(`a problem with ${text}`, async () =>
		JSON.stringify((await stateOf())?.['problems']).includes(text),
	);

test('a contract that the service publishes opens its own paths, and only those that it describes', async () => {
	service.publish('not yet');
	await attach(entry);
	for (const path of ['/api/farriers', '/api/farriers/x', '/api/farriers/x/y']) {
		const response = await call(path, { roles: ['ADMIN'] });
		expect(response.status).toBe(503);
		expect(response.headers.get('retry-after')).toBe('2');
		expect(((await response.json()) as Json)['data']).toMatchObject({
			code: 'CONTRACT_UNAVAILABLE',
			context: 'farriers',
		});
	}
	expect(await data('/actuator/health/farriers')).toMatchObject({
		status: 'DOWN',
		reason: 'CONTRACT_PROBLEM',
	});
	service.publish(contract());
	await isServed();
	expect(await statusOf('/api/farriers/x')).toBe(401);
	expect(await statusOf('/api/farriers/x', { roles: ['MEMBER'] })).toBe(200);
	expect(await statusOf('/api/farriers', { method: 'POST', roles: ['MEMBER'] })).toBe(403);
	expect(await statusOf('/api/farriers', { method: 'POST', roles: ['FEDERATION_OFFICER'] })).toBe(200);
	expect(await statusOf('/api/farriers/x/y', { roles: ['MEMBER'] })).toBe(404);
	const refused = await call('/api/farriers/x', { method: 'DELETE', roles: ['ADMIN'] });
	expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
	expect(await data('/actuator/health/farriers')).toMatchObject({ status: 'UP' });
	expect(await stateOf()).toMatchObject({ source: 'service', path: '/openapi.json', problems: [] });
	// With ETag and 304 from then on.
	service.reads.length = 0;
	await eventually('it is confirmed', () =>
		service.reads.some(({ etag, status }) => etag !== undefined && status === 304),
	);
	expect(await (await call('/openapi/farriers.yaml')).text()).toContain('/api/farriers/{name}');
});

test('another spelling of a path reaches no operation that needs other rights', async () => {
	service.publish(
		contract({
			'/api/farriers/audit': { get: { 'x-roles': ['ADMIN'] } },
			'/api/farriers/{name}': { get: bearerless },
		}),
	);
	await attach(entry);
	await isServed();
	expect(await statusOf('/api/farriers/audit')).toBe(401);
	expect(await statusOf('/api/farriers/Eisenhut')).toBe(200);
	service.requests.length = 0;
	for (const path of [
		'/api/farriers/AUDIT',
		'/api/farriers/%61udit',
		'/api/farriers/audi%74',
		'/api/farriers/Audit?x',
		'/api/farriers/audit.json',
		'/api/farriers/AUDIT.',
		'/api/farriers/audit%20',
	])
		expect([path, await statusOf(path), await statusOf(path, { roles: ['MEMBER'] })]).toEqual([
			path,
			404,
			404,
		]);
	for (const path of ['/api/farriers/a.b', '/api/farriers/audit.x.y', '/api/farriers/.audit'])
		expect([path, await statusOf(path)]).toEqual([path, 200]);
	service.requests.length = 0;
	for (const path of ['/api/farriers/audit/', '/api/farriers/'])
		expect([path, await statusOf(path, { method: 'POST', roles: ['MEMBER'] })]).toEqual([path, 404]);
	expect(service.requests).toEqual([]);
});

test('the operator limits which operations may be public', async () => {
	service.publish(contract({ '/api/farriers/{name}': { get: bearerless } }));
	await attach({ ...entry, publicRoutes: ['GET /api/farriers'] });
	await isServed();
	expect(await statusOf('/api/farriers/x')).toBe(401);
	const { paths } = JSON.parse(await (await call('/assets/openapi.json')).text());
	expect(paths['/api/farriers'].get.security).toEqual([]);
	expect(paths['/api/farriers/{name}'].get).not.toHaveProperty('security');
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const bad: [string, (service: Service) => void, string][] = [
	[
		'a path of another context',
		(s) => s.publish(contract({ '/api/horses': { get: bearerless } })),
		'must be below /api/farriers',
	],
	[
		'the operations pages',
		(s) => s.publish(contract({ '/actuator/health': { get: bearerless } })),
		'must be below',
	],
	[
		'a path that only begins like the prefix',
		(s) => s.publish(contract({ '/api/farriersx': { get: {} } })),
		'must be below',
	],
	[
		'dot segments',
		(s) => s.publish(contract({ '/api/farriers/../horses': { get: bearerless } })),
		'each segment',
	],
	[
		'a part of a segment as a parameter',
		(s) => s.publish(contract({ '/api/farriers/{name}.json': { get: bearerless } })),
		'each segment',
	],
	[
		'a slash at the end',
		(s) => s.publish(contract({ '/api/farriers/': { get: bearerless } })),
		'each segment',
	],
	[
		'one path twice',
		(s) => s.publish(contract({ '/api/farriers/{id}': { get: bearerless } })),
		'matches the same requests',
	],
	[
		'one path twice but for case',
		(s) => s.publish(contract({ '/api/farriers/A': {}, '/api/farriers/a': {} })),
		'matches the same',
	],
	['TRACE', (s) => s.publish(contract({ '/api/farriers/t': { trace: {} } })), 'not forwarded'],
	[
		'an unknown role',
		(s) => s.publish(contract({ '/api/farriers/r': { get: { 'x-roles': ['ROOT'] } } })),
		'x-roles',
	],
	[
		'a reference to another server',
		(s) => s.publish(contract({}, { components: { schemas: { A: { $ref: 'http://127.0.0.1:1/x' } } } })),
		'within the document',
	],
	[
		'a reference to a file',
		(s) => s.publish(contract({}, { components: { schemas: { A: { $ref: '../../etc/passwd' } } } })),
		'within the document',
	],
	[
		'a reference to nothing',
		(s) => s.publish(contract({}, { components: { schemas: { A: { $ref: '#/components/schemas/B' } } } })),
		'does not exist',
	],
	[
		'a reference to itself',
		(s) => s.publish(contract({}, { components: { schemas: { A: { $ref: '#/components/schemas/A' } } } })),
		'refers to itself',
	],
	[
		'a path item that refers to nothing',
		(s) => s.publish(contract({ '/api/farriers/p': { $ref: '#/components/pathItems/P' } })),
		'does not exist',
	],
	[
		'one large item for many paths',
		(s) =>
			s.publish({
				...contract(
					Object.fromEntries(
						Array.from({ length: 900 }, (_, at) => [
							`/api/farriers/p${at}`,
							{ $ref: '#/components/pathItems/P' },
						]),
					),
					{ components: { pathItems: { P: { get: { 'x-list': Array(10_000).fill(0) } } } } },
				),
				openapi: '3.1.0',
			}),
		'values',
	],
	['deep nesting', (s) => s.publish(nested(100_000)), 'levels deep'],
	['many values', (s) => s.publish(`[${'0,'.repeat(160_000)}0]`), 'values'],
	['a prototype', (s) => s.publish('{"openapi":"3.0.3","__proto__":{}}'), '__proto__'],
	['aliases of YAML', (s) => s.publish('a: &a [1]\nb: [*a, *a]'), 'YAML'],
	['version 2', (s) => s.publish({ ...contract(), swagger: '2.0', openapi: '2.0' }), 'must be a version'],
	['HTML', (s) => s.publish('<!doctype html><p>Not a contract.'), ''],
	['nothing', (s) => s.publish(''), ''],
	[
		'a redirect',
		(s) => {
			s.contract = (res) => res.writeHead(302, { Location: `${service.url}/elsewhere` }).end();
		},
		'responded with 302',
	],
	[
		'an error',
		(s) => {
			s.contract = (res) => res.writeHead(500).end();
		},
		'responded with 500',
	],
	[
		'three megabytes',
		(s) => {
			s.contract = (res) => res.writeHead(200).end(Buffer.alloc(3_000_000, 32));
		},
		'larger than',
	],
	[
		'a compressed body',
		(s) => {
			s.contract = (res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x');
		},
		'compressed',
	],
	[
		'bytes that are not UTF-8',
		(s) => {
			s.contract = (res) => res.writeHead(200).end(Buffer.from([0xff, 0xfe, 0xfd]));
		},
		'UTF-8',
	],
];

test('a contract that is not usable never replaces a good one, and what is wrong with it is shown', async () => {
	service.publish(contract());
	await attach(entry);
	await isServed();
	const hash = (await stateOf())?.['hash'];
	for (const [name, spoil, text] of bad) {
		spoil(service);
		await eventually(name, async () => {
			const problems = ((await stateOf())?.['problems'] ?? []) as unknown as string[];
			return problems.length > 0 && problems.join().includes(text);
		});
		expect([name, await statusOf('/api/farriers'), await statusOf('/api/farriers/x')]).toEqual([
			name,
			200,
			401,
		]);
		expect((await stateOf())?.['hash']).toBe(hash);
		service.publish(contract());
		await eventually('it is usable again', async () => String((await stateOf())?.['problems']) === '');
	}
	expect(service.requests.filter(({ url }) => url === '/elsewhere')).toEqual([]);
}, 120_000);

test('problems degrade health and are a metric', async () => {
	service.publish(contract());
	await attach(entry);
	await isServed();
	service.publish('{');
	await hasProblem('is not JSON');
	expect(await data('/actuator/health/farriers')).toMatchObject({
		status: 'DEGRADED',
		reason: 'CONTRACT_PROBLEM',
	});
	expect((await data('/actuator/health'))['status']).toBe('DEGRADED');
	const metrics = await (await call('/actuator/prometheus')).text();
	expect(metrics).toMatch(/gateway_contract_problem\{.*context="farriers".*\} 1/);
	expect(metrics).toMatch(/gateway_contract_age_seconds\{.*context="farriers".*\} \d/);
});

test('the last good contract is kept on disk for a service that is down at the next start', async () => {
	service.publish(contract());
	await attach(entry);
	await isServed();
	const settings = { CONTEXTS: 'auth,ping', CONTEXTS_FILE: file, LAST_KNOWN_DIR: folder };
	const next = await startTestGateway({ services: { farriers: [] }, settings });
	const response = await fetch(`${next.url}/api/farriers/x`);
	expect(response.status).toBe(401);
	await next.close();
	// Nor for another service of the same name.
	await write([{ ...entry, service: 'other-farriers' }]);
	const another = await startTestGateway({ services: {}, settings });
	expect((await fetch(`${another.url}/api/farriers/x`)).status).toBe(503);
	await another.close();
});

// For some milliseconds, the contract and the instances of the new service were not known.
test('another service behind an entry takes over without a failed request, once its contract is usable', async () => {
	service.publish(contract());
	await attach(entry);
	await isServed();
	other.contract = (res) => void res.writeHead(404).end();
	other.requests.length = 0;
	const statuses: number[] = [];
	let isRunning = true;
	const load = (async () => {
		while (isRunning) statuses.push(await statusOf('/api/farriers'));
	})();
	await attach({ ...entry, service: 'other' });
	await hasProblem('responded with 404');
	expect(await data('/actuator/health/farriers')).toMatchObject({
		status: 'DEGRADED',
		reason: 'CONTRACT_PROBLEM',
	});
	other.publish(contract());
	await eventually('the other service has requests', () => other.requests.length > 3);
	isRunning = false;
	await load;
	expect(new Set(statuses)).toEqual(new Set([200]));
	expect(await stateOf()).toMatchObject({ problems: [] });
	await attach({ ...entry, service: 'other', prefix: '/api/smiths' });
	expect(await statusOf('/api/farriers')).toBe(404);
});

const withProperties = (count: number) => {
	const properties = Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}]));
	return contract({}, { components: { schemas: { Farrier: { type: 'object', properties } } } });
};

// It had no contract until a usable one was read, and responded with 503.
test('an entry that is edited so that its contract is not usable is served as before, until one is', async () => {
	service.publish(withProperties(500));
	await attach(entry);
	await isServed();
	const hash = (await stateOf())?.['hash'];
	warnings = [];
	await attach({ ...entry, validate: 'requests' });
	expect(await statusOf('/api/farriers')).toBe(200);
	await hasProblem('Farrier');
	expect([await statusOf('/api/farriers'), await statusOf('/api/farriers/x')]).toEqual([200, 401]);
	expect((await stateOf())?.['hash']).toBe(hash);
	expect(warnings).toMatchObject([{ message: 'contract is not usable', context: 'farriers' }]);
	await attach({ ...entry, validate: 'requests', publicRoutes: [] });
	expect(await statusOf('/api/farriers')).toBe(401);
	await attach({ ...entry, service: 'other' });
	expect(await statusOf('/api/farriers')).toBe(200);
	await attach({ ...entry, service: 'other', publicRoutes: [] });
	expect(await statusOf('/api/farriers')).toBe(401);
	await attach({ ...entry, validate: 'requests' });
	await hasProblem('Farrier');
	expect(await data('/actuator/health/farriers')).toMatchObject({
		status: 'DEGRADED',
		reason: 'CONTRACT_PROBLEM',
	});
	service.publish(withProperties(5));
	await eventually('the usable one replaces it', async () => String((await stateOf())?.['problems']) === '');
	expect((await stateOf())?.['hash']).not.toBe(hash);
	expect(await statusOf('/api/farriers')).toBe(200);
});

// The contract was needed from the service again, which may be down.
test('an edit that its contract does not allow can be undone at once', async () => {
	service.publish(withProperties(500));
	await attach(entry);
	await isServed();
	await attach({ ...entry, validate: 'requests' });
	await hasProblem('Farrier');
	gateway.registry.set('farriers', []);
	await attach({ ...entry, critical: true });
	expect(gateway.opened.deps.contexts.find(({ name }) => name === 'farriers')).toMatchObject({
		...{ critical: true, publicRoutes: ['GET /api/farriers'] },
	});
	gateway.registry.set('farriers', [service.url]);
});

test('a file that is replaced, or behind a symbolic link that is replaced, is noticed without a signal', async () => {
	service.publish(contract());
	await write([entry]);
	await isServed();
	await write([]);
	await eventually('it is detached', async () => (await statusOf('/api/farriers')) === 404);
	// As Kubernetes mounts a ConfigMap.
	await writeFile(join(folder, 'v1.yaml'), stringify([entry]));
	await writeFile(join(folder, 'v2.yaml'), '[]');
	for (const [version, status] of [
		['v1', 200],
		['v2', 404],
		['v1', 200],
	] as const) {
		await symlink(join(folder, `${version}.yaml`), join(folder, 'link'));
		await rename(join(folder, 'link'), file);
		await eventually(`it is ${version}`, async () => (await statusOf('/api/farriers')) === status);
	}
	await rm(file);
});

test.each([
	['that is not YAML', '- {'],
	['that is empty, as while it is written', ''],
	['with an unknown field', stringify([{ ...entry, prefx: 1 }])],
	['with the prefix of another context', stringify([{ ...entry, prefix: '/api/ping' }])],
	['with a prefix within another', stringify([entry, { ...entry, name: 'b', service: 'b', prefix: '/api' }])],
	['with the service of another context', stringify([{ ...entry, service: 'auth-service' }])],
	['with the gateway as a service', stringify([{ ...entry, service: 'gateway' }])],
	['with a contract that is no file', stringify([{ ...entry, contract: 'none.yaml' }])],
	['with a contract that is a folder', stringify([{ ...entry, contract: '.' }])],
	['with a contract that never ends', stringify([{ ...entry, contract: 'file:///dev/zero' }])],
	[
		'with a contract of another host',
		stringify([{ ...entry, contract: 'file://etc/paddock/farriers.yaml' }]),
	],
	['that is huge', `#${' '.repeat(1_100_000)}`],
	[
		'with aliases of aliases',
		`a: &a [1,1,1,1,1,1,1,1,1]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`)}]`).join('\n')}`,
	],
	['with a body limit beyond the memory', stringify([{ ...entry, bodyBytesMax: 1_000_000_000 }])],
])('a file %s changes nothing and says why', async (_name, text) => {
	service.publish(contract());
	await attach(entry);
	await isServed();
	await write(text);
	await gateway.opened.reloadContexts();
	expect(await statusOf('/api/farriers')).toBe(200);
	const { file: state } = (await data('/actuator/contexts')) as unknown as { file: { problems: string[] } };
	expect(state.problems.length).toBeGreaterThan(0);
	expect(await data('/actuator/health/gateway')).toMatchObject({
		status: 'DEGRADED',
		contextsFile: { problems: state.problems },
	});
	expect(await (await call('/actuator/prometheus')).text()).toMatch(
		/gateway_contexts_file_invalid(?:\{.*\})? 1/,
	);
	// The next one applies.
	await attach();
	expect(await statusOf('/api/farriers')).toBe(404);
});

test('a contract that is a file is used once it is repaired', async () => {
	await rm(join(folder, 'later.yaml'), { force: true });
	await attach({ ...entry, contract: 'later.yaml' });
	expect(await statusOf('/api/farriers')).toBe(404);
	await writeFile(join(folder, 'later.yaml'), '{');
	await writeFile(join(folder, 'later.yaml'), stringify(contract()));
	await isServed();
});

test('a contract is read from an instance that has a usable one, however many others there are', async () => {
	service.publish(contract());
	other.publish('not yet');
	const dead = [1, 2, 3, 4, 5].map((port) => `http://127.0.0.1:${port}`);
	for (const urls of [
		[...dead, service.url],
		[other.url, service.url],
	]) {
		gateway.registry.set('farriers', urls);
		await attach(entry);
		await eventually('it is known', async () => (await stateOf())?.['hash'] !== null);
		await attach();
	}
	gateway.registry.set('farriers', [service.url]);
});

test('a changed entry applies to the next request, and one that is under way ends as it began', async () => {
	const slow = Promise.withResolvers<void>();
	service.publish(contract());
	await attach(entry);
	await isServed();
	const respond = (res: ServerResponse) =>
		res.writeHead(200, { 'Content-Type': 'application/json' }).end('"slow"');
	const upstream = await recordingUpstream((req, res) => {
		if (req.url === '/openapi.json') res.end(JSON.stringify(contract()));
		else void slow.promise.then(() => respond(res));
	});
	gateway.registry.set('farriers', [upstream.url]);
	const underWay = call('/api/farriers');
	await eventually('it has arrived', () => upstream.requests.some(({ url }) => url === '/api/farriers'));
	await attach({ ...entry, prefix: '/api/smiths', service: 'other' });
	other.publish(JSON.parse(JSON.stringify(contract()).replaceAll('/api/farriers', '/api/smiths')));
	expect(await statusOf('/api/farriers')).toBe(404);
	await isServed('/api/smiths');
	slow.resolve();
	expect(await (await underWay).json()).toBe('slow');
	gateway.registry.set('farriers', [service.url]);
	await upstream.close();
});

test('nothing remains of contexts that were attached and detached a hundred times', async () => {
	service.publish(contract());
	other.publish(JSON.parse(JSON.stringify(contract()).replaceAll('/api/farriers', '/api/smiths')));
	const round = async (name: string) => {
		await attach(
			{ ...entry, validate: 'requests' },
			{ ...entry, name, prefix: '/api/smiths', service: 'other', validate: 'requests' },
		);
		await isServed();
		await isServed('/api/smiths');
		await attach();
		expect(await statusOf('/api/farriers')).toBe(404);
	};
	const counts = async () => {
		await eventually(
			'the services are released',
			() => gateway.registry.watches('farriers') + gateway.registry.watches('other') === 0,
		);
		const text = await (await call('/actuator/prometheus')).text();
		const series = text.split('\n').filter((line) => /farriers|smiths|"other"/.test(line));
		return {
			series,
			resources: process
				.getActiveResourcesInfo()
				.filter((name) => name !== 'TCPSocketWrap' && name !== 'Timeout').length,
		};
	};
	const timeouts = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
	for (let index = 0; index < 5; index += 1) await round(`a${index}`);
	const before = { ...(await counts()), timeouts: timeouts(), heap: heapUsed() };
	for (let index = 0; index < 100; index += 1) await round(`b${index}`);
	const after = { ...(await counts()), timeouts: timeouts(), heap: heapUsed() };
	expect(before.series).toEqual([]);
	expect(after.series).toEqual([]);
	expect(after.resources).toBeLessThanOrEqual(before.resources + 2);
	expect(after.timeouts).toBeLessThanOrEqual(before.timeouts + 10);
	// Two contracts with compiled schemas are about a megabyte.
	if (before.heap !== undefined && after.heap !== undefined)
		expect(after.heap - before.heap).toBeLessThan(20_000_000);
}, 240_000);

function heapUsed(): number | undefined {
	if (global.gc === undefined) return undefined;
	global.gc();
	return process.memoryUsage().heapUsed;
}
