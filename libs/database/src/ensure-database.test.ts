import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import { createDatabase } from './database.ts';
import { ensureDatabaseAndRole } from './ensure-database.ts';
import { withDatabase } from './server-urls.ts';

const { PADDOCK_TEST_POSTGRES_URL: superuserUrl = '' } = process.env;
let tag: string;

async function run(url: string, text: string): Promise<unknown[]> {
	const db = createDatabase({ url, applicationName: 'test', logger: silentLogger() });
	try {
		return (await sql.raw<unknown>(text).execute(db)).rows;
	} finally {
		await db.destroy();
	}
}

beforeEach(() => {
	tag = randomUUID().slice(0, 8);
});

afterEach(async () => {
	await run(superuserUrl, `drop database if exists "horses ${tag}"`);
	const made = await run(superuserUrl, `select 1 from pg_roles where rolname = 'admin_${tag}'`);
	if (made.length > 0) await run(superuserUrl, `drop owned by admin_${tag}`);
	for (const role of [`horses ${tag}`, `admin_${tag}`])
		await run(superuserUrl, `drop role if exists "${role}"`);
});

describe.each([
	['a superuser', async () => superuserUrl],
	[
		'a role with CREATEDB and CREATEROLE that is not a superuser',
		async () => {
			await run(superuserUrl, `create role admin_${tag} login createdb createrole password 'made'`);
			return withDatabase(superuserUrl, 'postgres', { role: `admin_${tag}`, password: 'made' });
		},
	],
])('a database made by %s', (_who, admin) => {
	test('belongs to its role, has the extensions, and is closed to others', async () => {
		const adminUrl = await openedFor(await admin());
		const wanted = { database: `horses ${tag}`, role: `horses ${tag}`, password: `it's "odd"/@:%` };
		const url = await ensureDatabaseAndRole(adminUrl, wanted);
		await run(url, 'create table horses (name citext)');
		expect(await run(url, `select unaccent('Zügel') as plain`)).toEqual([{ plain: 'Zugel' }]);
		const grants = await run(
			superuserUrl,
			`select has_database_privilege('pg_monitor', 'horses ${tag}', 'connect') as open`,
		);
		expect(grants).toEqual([{ open: false }]);
	});

	test('may be made again, with another password', async () => {
		const adminUrl = await openedFor(await admin());
		const wanted = { database: `horses ${tag}`, role: `horses ${tag}`, password: 'first' };
		const first = await ensureDatabaseAndRole(adminUrl, wanted);
		await run(first, 'create table kept as select 1 as id');
		const second = await ensureDatabaseAndRole(adminUrl, { ...wanted, password: 'second' });
		expect(await run(second, 'select id from kept')).toEqual([{ id: 1 }]);
		await expect(run(first, 'select 1')).rejects.toMatchObject({ code: '28P01' });
	});
});

/** The run's server is closed to all but the superuser; on a server of one's own an administrator may connect. */
async function openedFor(url: string): Promise<string> {
	if (url !== superuserUrl) await run(superuserUrl, `grant connect on database postgres to admin_${tag}`);
	return url;
}
