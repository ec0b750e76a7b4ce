import { sql } from 'kysely';
import type { EntryCheck, EntryRow, EventsQueryable, JudgedBy, StoredOverride } from '../database-schema.ts';
import { unendedStatuses } from '../enumerations.ts';
import { type FullEntryRow, selectEntries } from './store.ts';

/** What judging the open entries of an event needs from other contexts. */
interface Unjudgeable {
	readonly hasEntries: boolean;
	/** Whether a competition is for some age classes only. */
	readonly isRestricted: boolean;
	/** Entries of before the data of rider and horse were stored. */
	readonly incomplete: readonly Pick<EntryRow, 'id' | 'riderMemberId' | 'horseId'>[];
}

export async function listUnjudgeable(db: EventsQueryable, eventId: string): Promise<Unjudgeable> {
	const entries = await db
		.selectFrom('entries')
		.select(['id', 'riderMemberId', 'horseId', sql<boolean>`judged_by is null`.as('isIncomplete')])
		.where('eventId', '=', eventId)
		.where('status', 'in', unendedStatuses)
		.execute();
	const restricted = await db
		.selectFrom('competitions')
		.select('id')
		.where('eventId', '=', eventId)
		.where('status', '=', 'OPEN')
		.where(sql<boolean>`age_classes <> '{}'`)
		.limit(1)
		.execute();
	return {
		hasEntries: entries.length > 0,
		isRestricted: restricted.length > 0,
		incomplete: entries.filter(({ isIncomplete }) => isIncomplete),
	};
}

export function listUnended(
	db: EventsQueryable,
	eventId: string,
	{ entryId, horseId }: { readonly entryId?: string; readonly horseId?: string },
): Promise<FullEntryRow[]> {
	const all = selectEntries(db)
		.where('entries.eventId', '=', eventId)
		.where('entries.status', 'in', unendedStatuses);
	const unended = entryId === undefined ? all : all.where('entries.id', '=', entryId);
	return (horseId === undefined ? unended : unended.where('entries.horseId', '=', horseId)).execute();
}

interface Judgement {
	readonly id: string;
	readonly checks: readonly EntryCheck[];
	readonly riderAgeClasses: readonly string[];
	/** Null = as stored. */
	readonly judgedBy: JudgedBy | null;
	/** Those that are added. */
	readonly overrides: readonly StoredOverride[];
	readonly freeUntil: Date | null;
	/** Whether readers see a difference. */
	readonly isShown: boolean;
}

/** Stores any number of judgements in one statement. Needs the lock on the event. */
export async function storeJudgements(
	db: EventsQueryable,
	judgements: readonly Judgement[],
	now: Date,
): Promise<void> {
	if (judgements.length === 0) return;
	await sql`
		update entries set
			checks = judged.checks,
			rider_age_classes = array(select jsonb_array_elements_text(judged."riderAgeClasses")),
			overrides = entries.overrides || judged.overrides,
			judged_by = coalesce(judged."judgedBy", entries.judged_by),
			free_withdrawal_until = greatest(entries.free_withdrawal_until, judged."freeUntil"),
			updated_at = case when judged."isShown" then ${now} else entries.updated_at end,
			version = entries.version + judged."isShown"::integer
		from jsonb_to_recordset(${JSON.stringify(judgements)}::jsonb) as judged(
			id uuid, checks jsonb, "riderAgeClasses" jsonb, "judgedBy" jsonb, overrides jsonb, "freeUntil" timestamptz, "isShown" boolean
		)
		where entries.id = judged.id`.execute(db);
}
