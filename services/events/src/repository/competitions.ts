import { apiError, type Page } from '@paddock/contract';
import { alphabetical, listPage, type Ordering, type Refusals, refusing, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { CompetitionRow, EventsQueryable, NewCompetitionRow } from '../database-schema.ts';
import { eventsError } from '../errors.ts';
import { horseMinAgeOf } from '../horse-age-rule.ts';
import type { Competition, CompetitionBody, CompetitionQuery } from '../schemas/competition.ts';

type SortField = NonNullable<CompetitionQuery['sort']>[number]['field'];

/** Path parameters of a competition: `id` is that of the event. */
interface CompetitionPath {
	readonly id: string;
	readonly competitionId: string;
}

/** Input for a competition row. */
export interface CompetitionDraft {
	readonly body: CompetitionBody;
	/** Name of the body's arena. */
	readonly arenaName: string | null;
}

const ordering: Ordering<SortField> = {
	number: sql.ref('number'),
	date: sql.ref('date'),
	name: alphabetical('name'),
	level: sql.ref('level'),
};
const defaultSort = [{ field: 'number', descending: false }] as const;
const refusals: Refusals = {
	competitions_event_id_number_key: (cause) => eventsError('COMPETITION_NUMBER_TAKEN', { cause }),
};

/** By number unless sorted otherwise. */
export function listCompetitions(
	db: EventsQueryable,
	eventId: string,
	query: CompetitionQuery,
): Promise<Page<Competition>> {
	let select = db.selectFrom('competitions').selectAll().where('event_id', '=', eventId);
	if (query.discipline !== undefined) select = select.where('discipline', '=', query.discipline);
	if (query.date !== undefined) select = select.where('date', '=', query.date);
	const ordered = sorted(select, query.sort ?? defaultSort, ordering).orderBy('id');
	return listPage(ordered, pageRequest(query), toCompetition);
}

/** All competitions of an event, by number. Needs the lock on the event. */
export function competitionRows(db: EventsQueryable, eventId: string): Promise<CompetitionRow[]> {
	return db
		.selectFrom('competitions')
		.selectAll()
		.where('event_id', '=', eventId)
		.orderBy('number')
		.execute();
}

/** @throws ApiError NOT_FOUND */
export async function getCompetitionRow(
	db: EventsQueryable,
	{ id, competitionId }: CompetitionPath,
): Promise<CompetitionRow> {
	const row = await db
		.selectFrom('competitions')
		.selectAll()
		.where('event_id', '=', id)
		.where('id', '=', competitionId)
		.executeTakeFirst();
	if (row === undefined)
		throw apiError('NOT_FOUND', { message: 'There is no such competition at this event.' });
	return row;
}

/** Needs the lock on the event. @throws ApiError COMPETITION_NUMBER_TAKEN */
export async function insertCompetition(
	db: EventsQueryable,
	eventId: string,
	draft: CompetitionDraft,
): Promise<Competition> {
	const insert = db.insertInto('competitions').values(competitionRow(eventId, draft)).returningAll();
	return toCompetition(await refusing(refusals, insert.executeTakeFirstOrThrow()));
}

/** Needs the lock on the event. @throws ApiError COMPETITION_NUMBER_TAKEN */
export async function updateCompetition(
	db: EventsQueryable,
	{ id, competitionId }: CompetitionPath,
	draft: CompetitionDraft,
): Promise<Competition> {
	const update = db
		.updateTable('competitions')
		.set({ ...competitionRow(id, draft), version: sql`version + 1` })
		.where('id', '=', competitionId)
		.returningAll();
	return toCompetition(await refusing(refusals, update.executeTakeFirstOrThrow()));
}

/** Needs the lock on the event. */
export async function markCompetitionCancelled(
	db: EventsQueryable,
	competitionId: string,
): Promise<Competition> {
	const row = await db
		.updateTable('competitions')
		.set({ status: 'CANCELLED', version: sql`version + 1` })
		.where('id', '=', competitionId)
		.returningAll()
		.executeTakeFirstOrThrow();
	return toCompetition(row);
}

/** Whether the competition ever had a start. Valid only while the event is locked. */
export async function hasStarts(db: EventsQueryable, competitionId: string): Promise<boolean> {
	const start = db
		.selectFrom('starts')
		.select('entry_id')
		.where('competition_id', '=', competitionId)
		.limit(1);
	return (await start.executeTakeFirst()) !== undefined;
}

export async function deleteCompetition(db: EventsQueryable, competitionId: string): Promise<void> {
	await db.deleteFrom('competitions').where('id', '=', competitionId).execute();
}

/** The row for the body of a client or of the demo. */
export function competitionRow(eventId: string, { body, arenaName }: CompetitionDraft): NewCompetitionRow {
	return {
		event_id: eventId,
		number: body.number,
		name: body.name,
		discipline: body.discipline,
		level: body.level,
		date: body.date,
		arena_id: body.arenaId,
		arena_name: arenaName,
		age_classes: body.ageClasses,
		horse_min_age: body.horseMinAge ?? horseMinAgeOf(body.level),
		pony_only: body.ponyOnly,
		max_starters: body.maxStarters,
		start_fee: body.startFee,
	};
}

export function toCompetition(row: CompetitionRow): Competition {
	return {
		id: row.id,
		eventId: row.event_id,
		number: row.number,
		name: row.name,
		discipline: row.discipline,
		level: row.level,
		date: row.date,
		arenaId: row.arena_id,
		arenaName: row.arena_name,
		ageClasses: row.age_classes,
		horseMinAge: row.horse_min_age,
		ponyOnly: row.pony_only,
		maxStarters: row.max_starters,
		startFee: row.start_fee,
		status: row.status,
		version: row.version,
	};
}
