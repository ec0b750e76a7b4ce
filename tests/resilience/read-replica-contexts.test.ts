import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Database, ensureDatabaseAndRole, openReadReplica, withClient } from '@paddock/database';
import { requestDeadline } from '@paddock/resilience';
import type { ContextDeps, OpenedService } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	createSettableRegistry,
	createTestIdentity,
	describeWithPrograms,
	eventually,
	startTestService,
	type TestIdentity,
} from '@paddock/testing';
import { sql } from 'kysely';
import { openEvents } from '../../services/events/src/app.ts';
import { openHorses } from '../../services/horses/src/app.ts';
import { openMembers } from '../../services/members/src/app.ts';
import {
	type InstalledPostgres,
	installedPrograms,
	startInstalledPostgres,
} from '../start/installed-postgres.ts';

type Settings = Parameters<typeof openMembers>[0];

jest.setTimeout(60_000);

const now = () => new Date();

describeWithPrograms([join(installedPrograms, 'initdb')], 'one standby for several contexts', () => {
	let primary: InstalledPostgres;
	let standby: InstalledPostgres;
	let identity: TestIdentity;

	beforeAll(async () => {
		primary = await startInstalledPostgres();
		standby = await startInstalledPostgres(primary);
		identity = await createTestIdentity();
	}, 60_000);
	afterAll(async () => {
		await identity.keys.close();
		await standby.stop();
		await primary.stop();
	});

	test.each<[string, (settings: Settings, context: ContextDeps) => Promise<OpenedService<never>>]>([
		['members', openMembers as never],
		['horses', openHorses as never],
		['events', openEvents as never],
	])('serves the list of %s', async (name, open) => {
		const wanted = { database: name, role: name, password: 'made' };
		const DATABASE_URL = await ensureDatabaseAndRole(primary.superuserUrl, wanted);
		const READ_DATABASE_URL = DATABASE_URL.replace(`:${primary.port}/`, `:${standby.port}/`);
		const metrics = createMetrics({ prefix: 'service', service: `${name}-service` });
		const opened = await open(
			{
				...{ DATABASE_URL, READ_DATABASE_URL, READ_LAG_MS_MAX: 600_000, DATABASE_POOL_MAX: 5, DEMO: true },
				...{ CONTEXTS: ['auth', name], SERVICE_SECRET: 'a secret of thirty-two characters' },
				...{ FEDERATION_CLUB_NUMBER: '9000', PEER_TIMEOUT_MS: 1_000 },
			} as Settings,
			{ logger: silentLogger(), metrics, now, registry: createSettableRegistry({}) },
		);
		const service = await startTestService({ opened, keys: identity.keys, now });
		const token = identity.sign({ roles: ['FEDERATION_OFFICER'] });
		const list = async (headers = {}) => {
			const path = `/api/${name}`;
			const { status, data } = await service.call<{ items: unknown[] }>('GET', path, { token, headers });
			expect(status).toBe(200);
			return data.items.length;
		};
		await eventually('the replica is used', async () =>
			/^service_read_replica_in_use\{.*\} 1$/m.test(await metrics.registry.metrics()),
		);
		await withClient(standby.superuserUrl, (client) => client.query('select pg_wal_replay_pause()'));
		const owner = primary.superuserUrl.replace(/postgres$/, name);
		await withClient(owner, (client) => client.query(`truncate ${name} cascade`));
		expect(await list()).toBeGreaterThan(0);
		expect(await list({ 'Cache-Control': 'no-cache' })).toBe(0);
		expect(await metrics.registry.metrics()).toMatch(
			/^service_database_pool_connections_max\{server="replica".*\} 5$/m,
		);
		await withClient(standby.superuserUrl, (client) => client.query('select pg_wal_replay_resume()'));
		await service.close();
	});

	const openReplica = (options: { primaryUrl?: string; poolMax?: number }) =>
		openReadReplica<unknown>({
			url: standby.superuserUrl,
			primaryUrl: primary.superuserUrl,
			lagMsMax: 60_000,
			applicationName: 'test',
			logger: silentLogger(),
			now,
			...options,
		});

	test('is compared with the primary if that is not the first host of its address', async () => {
		const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
		const replica = openReplica({
			primaryUrl: primary.superuserUrl.replace(`127.0.0.1:${primary.port}`, hosts),
		});
		await eventually('the replica is used', () => replica.state().problem === undefined).finally(
			replica.close,
		);
	});

	test.each([
		['the time-out of the pool', undefined],
		['the deadline of their requests', 100],
	])('is used although queries have waited for a connection until %s', async (_end, deadlineMs) => {
		const replica = openReplica({ poolMax: 1 });
		await eventually('the replica is used', () => replica.state().problem === undefined);
		const outcomes: string[] = [];
		const run = async (query: string) => {
			const use = replica.admit();
			if (use === undefined) throw new Error('the replica is not used');
			const failed = (error: Error) => {
				use.failed(error);
				outcomes.push('failed');
			};
			await sql.raw(query).execute(use.db).then(use.succeeded, failed);
		};
		const slow = run('select pg_sleep(1)');
		const waiting = () => Promise.all(Array.from({ length: 5 }, () => run('select 1')));
		await (deadlineMs === undefined
			? waiting()
			: requestDeadline.run(performance.now() + deadlineMs, waiting));
		await slow;
		expect([outcomes.length, replica.state().problem]).toEqual([5, undefined]);
		await replica.close();
	});

	test('is blamed for errors of its server, not for those of handlers', async () => {
		const replica = openReplica({});
		const problem = () => replica.state().problem;
		await eventually('the replica is used', () => problem() === undefined);
		const fail = async (error: (db: Database<unknown>) => unknown) => {
			for (let list = 0; list < 5; list += 1) {
				const use = replica.admit();
				use?.failed(await error(use.db));
			}
		};
		await fail(() => new TypeError('rows is not iterable'));
		expect(problem()).toBeUndefined();
		await fail((db) => sql`select * from missing`.execute(db).catch((error: unknown) => error));
		await eventually('the breaker opens', () => problem() === 'circuit breaker open');
		await replica.close();
	});
});
