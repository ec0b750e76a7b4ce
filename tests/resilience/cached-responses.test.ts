import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import {
	type ChildService,
	createTestIdentity,
	eventually,
	freePorts,
	recordingUpstream,
	startChildService,
	type TestUpstream,
} from '@paddock/testing';

const countries = '/api/masterdata/countries?size=100';
const calendar = '/api/events/calendar.ics';
const confirmed = { 'Cache-Control': 'no-cache' };

let identity: Awaited<ReturnType<typeof createTestIdentity>>;
let auth: TestUpstream;
let dataDir: string;
let database: EmbeddedPostgres;
let startDatabase: () => Promise<EmbeddedPostgres>;
const children: ChildService[] = [];
let gateway: ChildService;

async function startProcess(main: string, port: number, readyPath: string, env: Record<string, string>) {
	const child = await startChildService({ main, port, readyPath, env: { DRAIN_MS: '0', ...env } });
	children.push(child);
	return child;
}

beforeAll(async () => {
	identity = await createTestIdentity();
	auth = await recordingUpstream((_req, res) => {
		res.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(JSON.stringify(identity.jwks));
	});
	const [databasePort = 0, masterdataPort = 0, eventsPort = 0, gatewayPort = 0] = await freePorts(4);
	dataDir = await mkdtemp(join(tmpdir(), 'paddock-cached-'));
	startDatabase = () =>
		startEmbeddedPostgres({ dataDir, port: databasePort, logger: silentLogger(), durable: false });
	database = await startDatabase();
	const SERVICE_INSTANCES = [
		`auth-service=${auth.url}`,
		`masterdata-service=http://127.0.0.1:${masterdataPort}`,
		`events-service=http://127.0.0.1:${eventsPort}`,
	].join(',');
	const start = async (name: string, port: number) => {
		const DATABASE_URL = await database.ensureDatabase(name, name);
		const SERVICE_SECRET = `the-secret-of-${name}-in-this-test`;
		await startProcess(`services/${name}/src/main.ts`, port, '/health', {
			DATABASE_URL,
			SERVICE_INSTANCES,
			...(name === 'events' ? { SERVICE_SECRET } : {}),
		});
	};
	await start('masterdata', masterdataPort);
	await start('events', eventsPort);
	gateway = await startProcess('gateway/src/main.ts', gatewayPort, '/actuator/health/readiness', {
		CONTEXTS: 'auth,masterdata,events',
		SERVICE_INSTANCES,
		RATE_LIMIT_ANONYMOUS: '0',
		EVENT_LOOP_DELAY_MAX_MS: '60000',
	});
}, 120_000);

afterAll(async () => {
	for (const child of children.reverse()) await child.stop();
	await database?.stop();
	await auth?.close();
	await rm(dataDir, { recursive: true, force: true });
});

const get = async (path: string, headers: Record<string, string> = {}) => {
	const response = await fetch(gateway.url + path, { headers });
	return {
		status: response.status,
		age: response.headers.get('age'),
		cacheStatus: response.headers.get('cache-status') ?? '',
		body: await response.text(),
	};
};

describe('while the database is stopped', () => {
	test('countries and the public calendar are served from the gateway’s cache, and again by the services after that', async () => {
		const paths = [countries, calendar];
		const before = await Promise.all(paths.map((path) => get(path)));
		expect(before.map(({ status, age }) => [status, age])).toEqual([
			[200, null],
			[200, null],
		]);
		await database.stop();

		const age = expect.stringMatching(/^\d+$/);
		for (const [index, path] of paths.entries()) {
			const { body } = before[index] ?? {};
			const cacheStatus = expect.stringMatching(/^Paddock; hit; ttl=\d+$/);
			expect(await get(path)).toEqual({ status: 200, age, body, cacheStatus });
			// A client that requires a confirmed response: the service is called, and fails. It remembers a calendar for a second.
			await eventually('the service fails', async () =>
				(await get(path, confirmed)).cacheStatus.includes('; fwd-status=503; detail=stale-if-error'),
			);
			expect(await get(path, confirmed)).toMatchObject({ status: 200, age, body });
		}
		const token = { Authorization: `Bearer ${identity.sign()}` };
		expect(await get(countries, token)).toMatchObject({ status: 200, age, body: before[0]?.body });
		// Not requested before the outage.
		expect((await get('/api/masterdata/states')).status).toBe(503);

		database = await startDatabase();
		await eventually(
			'the service confirms its response',
			async () => {
				const { status, cacheStatus } = await get(countries, confirmed);
				return status === 200 && !cacheStatus.includes('stale-if-error');
			},
			10_000,
		);
	}, 60_000);
});
