import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withClient } from '@paddock/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import {
	type ChildService,
	createTestIdentity,
	describeOnTmpfs,
	eventually,
	freePorts,
	mountTmpfs,
	startChildService,
	type Tmpfs,
} from '@paddock/testing';
import { type StandInAuth, standInAuth } from '../../gateway/test/stand-in-auth.ts';

function fill(file: string): void {
	const part = Buffer.alloc(4_096);
	try {
		for (;;) appendFileSync(file, part);
	} catch (error) {
		expect(error).toMatchObject({ code: 'ENOSPC' });
	}
}

describeOnTmpfs('a database without space', () => {
	const path = '/api/masterdata/venues';
	let identity: Awaited<ReturnType<typeof createTestIdentity>>;
	let dataDir: string;
	let disk: Tmpfs;
	let auth: StandInAuth;
	let server: EmbeddedPostgres;
	let service: ChildService;
	let gateway: ChildService;

	beforeAll(async () => {
		identity = await createTestIdentity();
		auth = await standInAuth(identity.jwks);
		const [databasePort = 0, port = 0, gatewayPort = 0] = await freePorts(3);
		dataDir = mkdtempSync(join(tmpdir(), 'paddock-space-'));
		server = await startEmbeddedPostgres({ dataDir, port: databasePort, logger: silentLogger() });
		disk = mountTmpfs('40m');
		const tablespace = join(disk.path, 'tablespace');
		const { uid, gid } = statSync(join(server.dataDir, 'cluster'));
		mkdirSync(tablespace);
		chownSync(tablespace, uid, gid);
		const url = await server.ensureDatabase('masterdata', 'masterdata');
		await withClient(server.superuserUrl, async (client) => {
			await client.query(`create tablespace small location '${tablespace}'`);
			await client.query('alter database masterdata set tablespace small');
		});
		service = await startChildService({
			main: 'services/masterdata/src/main.ts',
			port,
			env: { DATABASE_URL: url, SERVICE_INSTANCES: `auth-service=${auth.url}`, DRAIN_MS: '0' },
			readyPath: '/health',
		});
		gateway = await startChildService({
			main: 'gateway/src/main.ts',
			port: gatewayPort,
			env: {
				CONTEXTS: 'auth,masterdata',
				SERVICE_INSTANCES: `auth-service=${auth.url},masterdata-service=${service.url}`,
				RATE_LIMIT_ANONYMOUS: '0',
				RATE_LIMIT_OFFICER: '0',
				EVENT_LOOP_DELAY_MAX_MS: '60000',
				RESPONSE_CACHE_BYTES: '0',
				DRAIN_MS: '0',
			},
			readyPath: '/actuator/health/readiness',
		});
	}, 120_000);

	afterAll(async () => {
		await gateway?.stop();
		await service?.stop();
		await server?.stop();
		await auth?.close();
		disk?.remove();
		rmSync(dataDir, { recursive: true, force: true });
	});

	const create = (): Promise<Response> =>
		fetch(gateway.url + path, {
			method: 'POST',
			headers: {
				Authorization: `Bearer ${identity.sign({ roles: ['FEDERATION_OFFICER'] })}`,
				'Content-Type': 'application/json',
			},
			body: JSON.stringify({ name: 'Reitanlage Seeblick', countryCode: 'AT', timeZone: 'Europe/Vienna' }),
		});
	const body = async (address: string) => (await (await fetch(address)).json()) as Health;
	interface Health {
		message: string;
		data: {
			status: string;
			components: Record<
				string,
				{ status: string; message?: string; instances?: { breaker: { state: string } }[] }
			>;
		};
	}
	const masterdata = async () => (await body(`${gateway.url}/actuator/health`)).data.components['masterdata'];
	const readiness = '/health/readiness';

	// Each was 500 with a stack in the log, and the health was UP.
	test('refuses writes with 503, serves reads, says why, and is used again when there is space', async () => {
		expect((await create()).status).toBe(201);
		const filler = join(disk.path, 'filler');
		fill(filler);
		let refusals = 0;
		const isRefused = async (): Promise<boolean> => {
			const response = await create();
			if (response.status === 201) return false;
			expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
			expect(await response.json()).toMatchObject({ data: { code: 'SERVICE_UNAVAILABLE' } });
			const read = await fetch(gateway.url + path);
			await read.arrayBuffer();
			expect(read.status).toBe(200);
			refusals += 1;
			return true;
		};
		// Pages of tables and indexes may have space, also again: refused rows are dead, and their space is used again.
		await eventually('41 are refused', async () => (await isRefused()) && refusals > 40, 60_000);
		const state = await fetch(service.url + readiness);
		expect([state.status, await state.json()]).toEqual([
			200,
			expect.objectContaining({
				message: 'Ready; database: out of space',
				data: expect.objectContaining({
					status: 'DEGRADED',
					components: { database: { status: 'DEGRADED', details: { error: 'out of space' } } },
				}),
			}),
		]);
		await eventually('the gateway shows it', async () => (await masterdata())?.status === 'DEGRADED');
		expect(await masterdata()).toMatchObject({
			message: 'Ready; database: out of space',
			instances: [{ breaker: { state: 'CLOSED' } }],
		});
		const log = service.output();
		const changes = log.match(/"the database accepts writes again"/g) ?? [];
		expect(log.match(/"database unavailable",.*"out of space"/g)).toHaveLength(changes.length + 1);
		expect(log).not.toMatch(/unexpected error|"stack"|Service unavailable/);
		const metrics = await (await fetch(`${service.url}/metrics`)).text();
		const counted = /^service_database_storage_failures_total\{.*problem="out of space".*\} (\d+)$/m;
		expect(Number(counted.exec(metrics)?.[1])).toBeGreaterThanOrEqual(41);

		await service.restart();
		const read = async () => (await fetch(gateway.url + path)).status;
		await eventually('it serves reads', async () => (await read()) === 200);
		await eventually('writes are refused', async () => (await create()).status === 503);
		expect(await read()).toBe(200);

		rmSync(filler);
		await eventually('writes succeed', async () => (await create()).status === 201);
		await eventually(
			'it is ready without limits',
			async () => (await body(service.url + readiness)).message === 'Ready',
			30_000,
		);
		expect(service.output()).toMatch(/"the database accepts writes again"/);
	}, 120_000);
});
