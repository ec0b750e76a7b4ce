import { type Database, inTransaction, type Migration, type Queryable } from '@paddock/database';
import { type RawBuilder, sql } from 'kysely';

/** The reminders that were sent, so that each is sent once, whatever instance or run finds it due. */
export const sentReminders: Migration = {
	up: async (db) => {
		await sql`
			create table sent_reminders (
				kind text not null,
				subject_id uuid not null,
				due_at timestamptz not null,
				sent_at timestamptz not null,
				primary key (kind, subject_id, due_at)
			)`.execute(db);
		await sql`create index sent_reminders_sent_at_index on sent_reminders (sent_at)`.execute(db);
	},
};

/** A reminder that is due. One of a date that was moved is another one. */
interface DueReminder {
	readonly id: string;
	readonly dueAt: Date;
}

interface ReminderKind<Schema, Due extends DueReminder> {
	/** The name in the table; never changed. */
	readonly kind: string;
	/** The next ones that are not `isUnsent` yet, at most `limit`, of a period that ends: older ones are never sent. */
	readonly find: (db: Queryable<Schema>, limit: number) => Promise<readonly Due[]>;
	/** Reads data of other contexts, outside of the transaction. @returns adds them to one reminder */
	readonly complete?: (due: readonly Due[]) => Promise<(one: Due) => Due>;
	/** Enqueues their mails. */
	readonly send: (transaction: Queryable<Schema>, due: readonly Due[]) => Promise<void>;
}

const batch = 100;
/** The remainder is sent by the next run. */
const batchesMax = 10;

/** Sends the due reminders of one kind, each once: the mark is stored in the transaction that enqueues the mail. */
export async function sendReminders<Schema, Due extends DueReminder>(
	db: Database<Schema>,
	now: Date,
	{ kind, find, complete = async () => (one) => one, send }: ReminderKind<Schema, Due>,
): Promise<void> {
	for (let count = 0; count < batchesMax; count += 1) {
		const found = await find(db, batch);
		if (found.length === 0) return;
		const ids = new Set(found.map(({ id }) => id));
		const completed = await complete(found);
		await inTransaction(db, async (transaction) => {
			// During `complete` they may have been settled, moved or sent by another instance.
			const due = (await find(transaction, batch)).filter(({ id }) => ids.has(id)).map(completed);
			const claimed = await claim(transaction, kind, due, now);
			const mine = due.filter(({ id }) => claimed.has(id));
			if (mine.length > 0) await send(transaction, mine);
		});
		if (found.length < batch) return;
	}
}

async function claim<Schema>(
	db: Queryable<Schema>,
	kind: string,
	due: readonly DueReminder[],
	now: Date,
): Promise<ReadonlySet<string>> {
	// In one order, so that two instances do not wait for each other.
	const { rows } = await sql<{ id: string }>`
		insert into sent_reminders (kind, subject_id, due_at, sent_at)
		select ${kind}, id, due_at, ${now}
		from unnest(${due.map(({ id }) => id)}::uuid[], ${due.map(({ dueAt }) => dueAt)}::timestamptz[]) as due (id, due_at)
		order by id
		on conflict do nothing
		returning subject_id as id`.execute(db.withoutPlugins());
	return new Set(rows.map(({ id }) => id));
}

/** Condition: no reminder of this kind was sent for that subject and time. */
export function isUnsent(
	kind: string,
	subjectId: RawBuilder<unknown>,
	dueAt: RawBuilder<unknown>,
): RawBuilder<boolean> {
	return sql<boolean>`not exists (
		select from sent_reminders where kind = ${kind} and subject_id = ${subjectId}
			and due_at = date_trunc('milliseconds', ${dueAt})
	)`;
}

const storedMs = 90 * 24 * 60 * 60_000;

/** Deletes entries long after the periods of `find`. */
export async function deleteSentReminders<Schema>(db: Queryable<Schema>, now: Date): Promise<void> {
	await sql`delete from sent_reminders where sent_at < ${new Date(now.getTime() - storedMs)}`.execute(db);
}
