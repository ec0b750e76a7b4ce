import { randomUUID } from 'node:crypto';
import {
	createDatabase,
	type Database,
	ensureDatabaseAndRole,
	withClient,
	withDatabase,
} from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { type Kysely, sql } from 'kysely';

export interface DatabaseTemplate {
	/** Letters, digits and `_`; one template per name and run. */
	name: string;
	/** Fills the empty database (migrations, seed) as the role that owns the copies, and closes its connections. */
	prepare: (url: string) => Promise<void>;
}

export interface TestDatabase {
	/** For a role with the rights of a service's role. */
	url: string;
	drop(): Promise<void>;
}

const rolePassword = 'test';
const lockTimeoutMs = 120_000;
// Longer than in production: on a busy test machine many requests wait for a connection.
const connectTimeoutS = 30;

/**
 * Creates a database for one test file as a copy of the template, which the first worker of a run prepares. Needs the
 * server of the run, see jest/global-setup.ts.
 */
export async function createTestDatabase(template: DatabaseTemplate): Promise<TestDatabase> {
	if (!/^[a-z0-9_]{1,20}$/.test(template.name))
		throw new Error(`not a valid template name: ${template.name}`);
	const run = testRun();
	const prefix = `t_${run.id}_${template.name}`;
	const name = `${prefix}_${randomUUID().slice(0, 8)}`;
	await withServer(run.url, async (server) => {
		await ensureTemplate(server, run.url, prefix, template.prepare);
		// Without a write-ahead log of each page: a run creates hundreds of them.
		await sql`create database ${sql.id(name)} template ${sql.id(prefix)} owner ${sql.id(prefix)}
			strategy file_copy`.execute(server);
	});
	const url = new URL(withDatabase(run.url, name, { role: prefix, password: rolePassword }));
	url.searchParams.set('connect_timeout', String(connectTimeoutS));
	return {
		url: url.href,
		drop: () => withServer(run.url, (server) => dropDatabase(server, name)),
	};
}

/** Executes statements that write many records: on a busy machine these take longer than the role's time limit. */
export async function fillTestDatabase(url: string, ...statements: readonly string[]): Promise<void> {
	await withClient(url, async (client) => {
		await client.query('set statement_timeout = 0');
		for (const statement of statements) await client.query(statement);
	});
}

/** Drops all databases and roles that this run created. */
export async function dropRunDatabases(): Promise<void> {
	const run = testRun();
	await withServer(run.url, async (server) => {
		const pattern = `t\\_${run.id.replaceAll('_', '\\_')}\\_%`;
		const databases = await sql<{
			name: string;
		}>`select datname as name from pg_database where datname like ${pattern}`.execute(server);
		for (const { name } of databases.rows) await dropDatabase(server, name);
		const roles = await sql<{
			name: string;
		}>`select rolname as name from pg_roles where rolname like ${pattern}`.execute(server);
		for (const { name } of roles.rows) await sql`drop role ${sql.id(name)}`.execute(server);
	});
}

function testRun(): { id: string; url: string } {
	const { PADDOCK_TEST_RUN: id, PADDOCK_TEST_POSTGRES_URL: url } = process.env;
	if (!id || !url)
		throw new Error('no test server: jest must run with libs/testing/src/jest/global-setup.ts');
	return { id, url };
}

/** Prepares the template under a temporary name and renames it when complete; other workers wait for the lock. */
async function ensureTemplate(
	server: Kysely<unknown>,
	url: string,
	name: string,
	prepare: DatabaseTemplate['prepare'],
): Promise<void> {
	const key = sql`hashtextextended(${name}, 0)`;
	await sql`select pg_advisory_lock(${key})`.execute(server);
	try {
		const found = await sql`select 1 from pg_database where datname = ${name}`.execute(server);
		if (found.rows.length > 0) return;
		const partial = `${name}_partial`;
		await dropDatabase(server, partial);
		await prepare(
			await ensureDatabaseAndRole(url, { database: partial, role: name, password: rolePassword }),
		);
		await sql`alter database ${sql.id(partial)} rename to ${sql.id(name)}`.execute(server);
	} finally {
		await sql`select pg_advisory_unlock(${key})`.execute(server);
	}
}

async function dropDatabase(server: Kysely<unknown>, name: string): Promise<void> {
	await sql`drop database if exists ${sql.id(name)} with (force)`.execute(server);
}

/** Uses a single connection, so that an advisory lock persists between queries. */
async function withServer<Result>(
	url: string,
	work: (server: Kysely<unknown>) => Promise<Result>,
): Promise<Result> {
	const pool: Database<unknown> = createDatabase({
		url,
		poolMax: 1,
		statementTimeoutMs: lockTimeoutMs,
		// All test files of a run share this server.
		connectTimeoutMs: lockTimeoutMs,
		applicationName: 'paddock-tests',
		logger: silentLogger(),
	});
	try {
		return await pool.connection().execute(work);
	} finally {
		await pool.destroy();
	}
}
