import type { Queryable } from '@paddock/database';
import { sql } from 'kysely';

/** The queue of jobs whose attempts have all failed. */
export const deadLetters = 'dead-letters';

export interface QueueState {
	readonly queue: string;
	/** Jobs that could start now. */
	readonly ready: number;
	/** Jobs that wait for their time, such as that of a retry. */
	readonly delayed: number;
	readonly active: number;
	/** How long the oldest ready job has waited. */
	readonly oldestAgeSeconds: number;
	/** Jobs of this queue among the dead letters. */
	readonly deadLetters: number;
}

/** A job whose attempts have all failed. Its data is not shown: it may contain addresses. */
export interface DeadLetter {
	readonly id: string;
	readonly queue: string;
	readonly attempts: number;
	readonly createdAt: Date;
	readonly failedAt: Date;
	readonly error: string;
}

/** The states of these queues, in their order. */
export async function readQueues<Schema>(
	db: Queryable<Schema>,
	queues: readonly string[],
): Promise<readonly QueueState[]> {
	const { rows } = await sql<QueueState>`
		select queue,
			(select count(*) from jobs.job where name = queue and state < 'active' and start_after <= now()) as "ready",
			(select count(*) from jobs.job where name = queue and state < 'active' and start_after > now()) as "delayed",
			(select count(*) from jobs.job where name = queue and state = 'active') as "active",
			(select coalesce(greatest(0, extract(epoch from now() - min(start_after))), 0)::float8 from jobs.job
				where name = queue and state < 'active') as "oldestAgeSeconds",
			(select count(*) from jobs.job
				where name = ${deadLetters} and source_name = queue and state < 'active') as "deadLetters"
		from unnest(${queues}::text[]) with ordinality as queues (queue, number)
		order by number`.execute(db.withoutPlugins());
	return rows;
}

/** The newest dead letters. */
export async function listDeadLetters<Schema>(
	db: Queryable<Schema>,
	limit: number,
): Promise<readonly DeadLetter[]> {
	const { rows } = await sql<DeadLetter>`
		select id, source_name as "queue", source_retry_count + 1 as "attempts", source_created_on as "createdAt",
			created_on as "failedAt", left(coalesce(source_output->>'message', source_output::text, ''), 300) as "error"
		from jobs.job where name = ${deadLetters} and state < 'active'
		order by created_on desc, id limit ${limit}`.execute(db.withoutPlugins());
	return rows;
}

/** @returns whether it was found */
export async function dropDeadLetter<Schema>(db: Queryable<Schema>, id: string): Promise<boolean> {
	const { rows } = await sql`
		delete from jobs.job where name = ${deadLetters} and id = ${id}::uuid and state < 'active' returning id`.execute(
		db,
	);
	return rows.length > 0;
}

/** Removes the data of at most `limit` jobs that ended that long ago; dead letters have their own. @returns of how many */
export async function forgetData<Schema>(
	db: Queryable<Schema>,
	seconds: number,
	limit: number,
): Promise<number> {
	const { numAffectedRows } = await sql`
		update jobs.job set data = null where (name, id) in (
			select name, id from jobs.job
			where state > 'active' and data is not null and completed_on < now() - make_interval(secs => ${seconds})
			limit ${limit} for update skip locked
		)`.execute(db);
	return Number(numAffectedRows ?? 0);
}
