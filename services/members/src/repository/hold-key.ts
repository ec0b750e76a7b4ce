import { sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';

/** Lets one transaction after the other work on what `key` stands for; given back at the transaction's end. */
export async function holdKey(db: MembersQueryable, key: string): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
}
