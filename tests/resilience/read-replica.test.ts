import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ensureDatabaseAndRole, withClient } from '@paddock/database';
import { readSettings } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	createSettableRegistry,
	createTestIdentity,
	describeWithPrograms,
	eventually,
	startStopwatch,
	startTestService,
	type TestIdentity,
	type TestService,
} from '@paddock/testing';
import { openMasterdata } from '../../services/masterdata/src/app.ts';
import { settings as masterdataSettings } from '../../services/masterdata/src/config.ts';
import {
	type InstalledPostgres,
	installedPrograms,
	startInstalledPostgres,
} from '../start/installed-postgres.ts';

jest.setTimeout(60_000);

const path = '/api/masterdata/venues';
const now = () => new Date();

describeWithPrograms([join(installedPrograms, 'initdb')], 'a read replica', () => {
	let primary: InstalledPostgres;
	let standby: InstalledPostgres;
	let identity: TestIdentity;
	let databaseUrl: string;
	/** The replica may lag for the whole test in one, and for half a second in the other. */
	let patient: Service;
	let strict: Service;

	interface Replica {
		readonly status: string;
		readonly details: Readonly<Record<string, unknown>>;
	}
	interface Service extends TestService {
		readonly metrics: () => Promise<string>;
	}

	async function open(
		readUrl: string,
		lagMsMax: number,
		poolMax = 5,
		logger = silentLogger(),
	): Promise<Service> {
		const metrics = createMetrics({ prefix: 'service', service: 'masterdata-service' });
		const context = { logger, metrics, now, registry: createSettableRegistry({}) };
		const settings = {
			...readSettings(masterdataSettings, { DATABASE_URL: databaseUrl, CONTEXTS: 'auth,masterdata' }),
			READ_DATABASE_URL: readUrl,
			READ_LAG_MS_MAX: lagMsMax,
			DATABASE_POOL_MAX: poolMax,
		};
		const opened = await openMasterdata(settings, context);
		const service = await startTestService({ opened, keys: identity.keys, now });
		return { ...service, metrics: () => metrics.registry.metrics() };
	}

	beforeAll(async () => {
		primary = await startInstalledPostgres();
		standby = await startInstalledPostgres(primary);
		identity = await createTestIdentity();
		const wanted = { database: 'masterdata', role: 'masterdata', password: 'made' };
		databaseUrl = await ensureDatabaseAndRole(primary.superuserUrl, wanted);
		await eventually('the standby has the database', () =>
			withClient(at(standby), async () => true).catch(() => false),
		);
		await pauseReplay();
		patient = await open(at(standby), 600_000);
		strict = await open(at(standby), 500);
	}, 60_000);

	afterAll(async () => {
		await Promise.all([patient.close(), strict.close()]);
		await identity.keys.close();
		await standby.stop();
		await primary.stop();
	});

	function at({ port }: InstalledPostgres): string {
		const url = new URL(databaseUrl);
		url.port = String(port);
		return url.href;
	}
	const onStandby = (query: string) =>
		withClient(standby.superuserUrl, async (client) => (await client.query(query)).rows[0]);
	const pauseReplay = async () => {
		await onStandby('select pg_wal_replay_pause()');
		await eventually('replay is paused', async () => {
			const { state } = await onStandby('select pg_get_wal_replay_pause_state() as state');
			return state === 'paused';
		});
	};
	const resumeReplay = () => onStandby('select pg_wal_replay_resume()');

	async function addVenue(name: string): Promise<string> {
		const body = { name, countryCode: 'AT', timeZone: 'Europe/Vienna' };
		const token = identity.sign({ roles: ['FEDERATION_OFFICER'] });
		const { status, data } = await patient.call<{ id: string }>('POST', path, { token, body });
		expect(status).toBe(201);
		return data.id;
	}
	async function lists(service: Service, id: string, headers = {}): Promise<boolean> {
		const { status, data } = await service.call<{ items: { id: string }[] }>('GET', `${path}?size=100`, {
			headers,
		});
		expect(status).toBe(200);
		return data.items.some((venue) => venue.id === id);
	}
	/** The replica in the health response of a service that is ready. */
	async function replicaOf(service: Service): Promise<Replica> {
		const response = await fetch(`${service.url}/health`);
		expect(response.status).toBe(200);
		const { data } = (await response.json()) as { data: { components: { readReplica: Replica } } };
		return data.components.readReplica;
	}
	const isUsedBy = (service: Service) =>
		eventually('the replica is used', async () => {
			await lists(service, 'none'); // A circuit breaker closes only with a list.
			const inUse = /^service_read_replica_in_use\{.*\} 1$/m.test(await service.metrics());
			return inUse && (await replicaOf(service)).status === 'UP';
		});
	const isUnusedBy = (service: Service, reason: string) =>
		eventually(`the replica is not used: ${reason}`, async () => {
			const inUse = !/^service_read_replica_in_use\{.*\} 0$/m.test(await service.metrics());
			const { status, details } = await replicaOf(service);
			return !inUse && status === 'DEGRADED' && details['error'] === reason;
		});

	test('without the migrations of a service is not used by it', async () => {
		expect(await lists(patient, 'none')).toBe(false);
		await isUnusedBy(patient, 'replay lags behind');
		await resumeReplay();
		await Promise.all([isUsedBy(patient), isUsedBy(strict)]);
		expect(await replicaOf(patient)).toEqual({ status: 'UP', details: { lagMs: expect.any(Number) } });
	});

	test('serves lists up to the limit of its lag; records, and lists with no-cache, come from the primary', async () => {
		await pauseReplay();
		const id = await addVenue('Spätau');
		expect(await lists(patient, id)).toBe(false);
		expect(await lists(patient, id, { 'Cache-Control': 'no-cache' })).toBe(true);
		expect((await patient.call('GET', `${path}/${id}`)).status).toBe(200);

		await eventually('beyond the limit the list comes from the primary', () => lists(strict, id));
		await isUnusedBy(strict, 'replay lags behind');
		expect(await strict.metrics()).toMatch(/^service_read_replica_lag_seconds\{.*\} \d/m);

		await resumeReplay();
		await eventually('the list is complete', () => lists(patient, id));
		await isUsedBy(strict);
	});

	test('does not lag because nothing is written', async () => {
		// An empty segment follows, as after archive_timeout; the primary would insert behind its header.
		await withClient(primary.superuserUrl, (client) => client.query('select pg_switch_wal()'));
		const start = performance.now();
		await eventually('the limit has passed', () => performance.now() - start > 600);
		await isUsedBy(strict);
	});

	test('that crashes costs no list, and is used again after its restart', async () => {
		await standby.crash();
		for (let round = 0; round < 10; round += 1) {
			await Promise.all([lists(patient, 'none'), lists(strict, 'none')]);
		}
		// Also by the one whose limit has not passed.
		await Promise.all([strict, patient].map((service) => isUnusedBy(service, 'connection refused')));

		await standby.restart();
		await Promise.all([isUsedBy(patient), isUsedBy(strict)]);
		await pauseReplay();
		expect(await lists(patient, await addVenue('Neustart'))).toBe(false);
		await resumeReplay();
	});

	// The lock of a migration is held on the standby until its commit has been replayed.
	test('that does not respond in time costs no list, few a delay, and is unused until a list has succeeded', async () => {
		await withClient(primary.superuserUrl.replace(/postgres$/, 'masterdata'), async (client) => {
			await client.query('begin');
			await client.query('lock table venues in access exclusive mode');
			// Sends the lock to the standby, which otherwise follows with the next commit.
			await client.query('select pg_switch_wal()');
			await eventually('the standby has the lock', async () => {
				const { locks } = await onStandby(
					`select count(*)::int as locks from pg_locks where mode = 'AccessExclusiveLock' and locktype = 'relation'`,
				);
				return locks > 0;
			});
			await pauseReplay();
			await client.query('commit');
		});
		const id = await addVenue('Schlossau');
		const slowMs = startStopwatch();
		expect(await lists(patient, id)).toBe(true);
		const elapsedMs = slowMs();
		expect(elapsedMs).toBeGreaterThan(1_000);
		expect(elapsedMs).toBeLessThan(4_500);
		await Promise.all(Array.from({ length: 5 }, () => lists(patient, id)));
		await isUnusedBy(patient, 'circuit breaker open');
		const skippedMs = startStopwatch();
		expect([await lists(patient, id), skippedMs() < 1_000]).toEqual([true, true]);

		await resumeReplay();
		const unusedAt = performance.now();
		await eventually('the reset timeout has elapsed', async () => {
			expect((await patient.metrics()).match(/^service_read_replica_in_use\{.*\} (\d)$/m)?.[1]).toBe('0');
			return performance.now() - unusedAt > 5_500;
		});
		await isUsedBy(patient);
	});

	test('must be a standby of the database, otherwise it is not used', async () => {
		for (const url of [databaseUrl, at(standby).replace(/masterdata$/, 'postgres')]) {
			const service = await open(url, 60_000);
			await isUnusedBy(service, 'not a standby of this database');
			await lists(service, 'none');
			await service.close();
		}
	});

	test('with fewer free connections than the pool may need is reported in the log', async () => {
		const warnings: string[] = [];
		const child = () => Object.assign(silentLogger(), { warn: (text: string) => void warnings.push(text) });
		const service = await open(at(standby), 60_000, 100_000, Object.assign(silentLogger(), { child }));
		await eventually('it is reported', () =>
			warnings.includes('fewer connections are free on the database server than the pool may need'),
		);
		await service.close();
	});

	test('is one server: a start with several is refused', async () => {
		const several = `postgres://masterdata@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/masterdata`;
		await expect(open(several, 1_000)).rejects.toThrow(
			'READ_DATABASE_URL: must be the address of a single server',
		);
	});

	test('that is promoted is not used any more', async () => {
		await isUsedBy(patient);
		await standby.promote();
		await isUnusedBy(patient, 'not a standby of this database');
	});
});
