import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import {
	createTestIdentity,
	eventually,
	freePorts,
	recordingUpstream,
	startChildService,
	startStopwatch,
} from '@paddock/testing';

test('the database lost: 503 at once and not ready; back again: it works by itself, and nothing acknowledged is lost', async () => {
	const identity = await createTestIdentity();
	const auth = await recordingUpstream((_req, res) => {
		res.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(JSON.stringify(identity.jwks));
	});
	const [databasePort = 0, port = 0] = await freePorts(2);
	const dataDir = await mkdtemp(join(tmpdir(), 'paddock-lost-'));
	const startDatabase = (): Promise<EmbeddedPostgres> =>
		startEmbeddedPostgres({ dataDir, port: databasePort, logger: silentLogger() });
	let database = await startDatabase();
	const url = await database.ensureDatabase('masterdata', 'masterdata');
	const service = await startChildService({
		main: 'services/masterdata/src/main.ts',
		port,
		env: { DATABASE_URL: url, SERVICE_INSTANCES: `auth-service=${auth.url}`, DRAIN_MS: '0' },
		readyPath: '/health',
	});
	try {
		const token = identity.sign({ roles: ['FEDERATION_OFFICER'] });
		const list = () => fetch(`${service.url}/api/masterdata/venues`);
		const create = (name: string) =>
			fetch(`${service.url}/api/masterdata/venues`, {
				method: 'POST',
				headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
				body: JSON.stringify({ name, countryCode: 'AT', timeZone: 'Europe/Vienna' }),
			});
		expect((await create('Reitanlage Seeblick')).status).toBe(201);

		await database.stop();
		for (let index = 0; index < 5; index += 1) {
			const elapsedMs = startStopwatch();
			const response = await list();
			expect([response.status, response.headers.has('Retry-After')]).toEqual([503, true]);
			expect(await response.json()).toMatchObject({ success: false, data: { code: 'SERVICE_UNAVAILABLE' } });
			expect(elapsedMs()).toBeLessThan(1_000);
		}
		expect((await create('Reitanlage Waldblick')).status).toBe(503);
		expect((await fetch(`${service.url}/health/readiness`)).status).toBe(503);
		expect((await fetch(`${service.url}/health/liveness`)).status).toBe(200);

		database = await startDatabase();
		await eventually('it works again', async () => (await list()).status === 200, 10_000);
		expect((await fetch(`${service.url}/health/readiness`)).status).toBe(200);
		const { data } = (await (await list()).json()) as { data: { items: { name: string }[] } };
		expect(data.items.map(({ name }) => name)).toEqual(['Reitanlage Seeblick']);
	} finally {
		await service.stop();
		await database.stop();
		await auth.close();
		await rm(dataDir, { recursive: true, force: true });
	}
}, 60_000);
