import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ensureDatabaseAndRole, withClient } from '@paddock/database';
import type { OpenContext, OpenedService } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	createSettableRegistry,
	createTestIdentity,
	describeWithPrograms,
	eventually,
	startTestService,
	type TestIdentity,
} from '@paddock/testing';
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

	test.each<[string, (settings: Settings, context: OpenContext) => Promise<OpenedService<never>>]>([
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
});
