import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { withDatabase } from './server-urls.ts';
import { withClient } from './with-client.ts';

interface DatabaseAndRole {
	database: string;
	role: string;
	password: string;
}

/** The server cancels a statement of the role that takes longer (SQLSTATE 57014). */
const statementTimeoutS = 5;

/** A query of a connection that the service has closed is cancelled after this time, not at its end. */
const connectionCheckMs = 500;

/** All are trusted extensions (PostgreSQL ≥ 13): the owner of a database may create them. */
const extensions = ['btree_gin', 'citext', 'pg_trgm', 'unaccent'];

/**
 * Creates the role (login only; its password and statement timeout are set each time), its database and the extensions, if they are missing;
 * no other role may connect to the database. `adminUrl` is that of a superuser or of a role with CREATEDB and
 * CREATEROLE. Resolves with the role's URL of the database.
 */
export async function ensureDatabaseAndRole(adminUrl: string, wanted: DatabaseAndRole): Promise<string> {
	await withClient(adminUrl, async (admin) => {
		await ensureRole(admin, wanted);
		await ensureOwnedDatabase(admin, wanted);
	});
	await withClient(withDatabase(adminUrl, wanted.database), async (client) => {
		for (const extension of extensions) await client.query(`create extension if not exists ${extension}`);
	});
	return withDatabase(adminUrl, wanted.database, wanted);
}

/** Revokes the right of all roles to connect to the server's maintenance databases. */
export async function closeMaintenanceDatabases(superuserUrl: string): Promise<void> {
	await withClient(superuserUrl, async (client) => {
		await client.query('revoke connect, temporary on database postgres, template1 from public');
	});
}

/** The rows of one query on a connection of its own. */
export async function queryOnce<Row extends object>(url: string, query: string): Promise<Row[]> {
	return await withClient(url, async (client) => (await client.query<Row>(query)).rows);
}

async function ensureRole(admin: Client, { role, password }: DatabaseAndRole): Promise<void> {
	const name = escapeIdentifier(role);
	const rights = `login password ${escapeLiteral(password)}`;
	const isNew = !(await exists(admin, 'select 1 from pg_roles where rolname = $1', role));
	await admin.query(`${isNew ? 'create' : 'alter'} role ${name} ${rights}`);
	await admin.query(`alter role ${name} set statement_timeout = '${statementTimeoutS}s'`);
	// Compiling takes longer than the queries, which PostgreSQL expects to read whole tables when they end after a page.
	await admin.query(`alter role ${name} set jit = off`);
	// They would take the processors from other requests, and to start them takes longer than a page.
	await admin.query(`alter role ${name} set max_parallel_workers_per_gather = 0`);
	// Queries that read a part of a large table would begin where the last one ended, and find nothing of it in memory.
	await admin.query(`alter role ${name} set synchronize_seqscans = off`);
	await admin.query(`alter role ${name} set client_connection_check_interval = '${connectionCheckMs}ms'`);
	if (!isNew) return;
	// A role other than a superuser must be a member of a role to make it the owner of a database (PostgreSQL 16).
	const isSuperuser = await exists(
		admin,
		'select 1 from pg_roles where rolname = $1 and rolsuper',
		admin.user ?? '',
	);
	if (!isSuperuser) await admin.query(`grant ${name} to current_user`);
}

async function ensureOwnedDatabase(admin: Client, { database, role }: DatabaseAndRole): Promise<void> {
	const name = escapeIdentifier(database);
	if (!(await exists(admin, 'select 1 from pg_database where datname = $1', database))) {
		// template1 has the encoding of the cluster, which may be another one.
		const options = `owner ${escapeIdentifier(role)} encoding 'UTF8' template template0`;
		await admin.query(`create database ${name} ${options}`);
	}
	await admin.query(`revoke all on database ${name} from public`);
}

async function exists(client: Client, query: string, value: string): Promise<boolean> {
	const { rowCount } = await client.query(query, [value]);
	return rowCount !== 0;
}
