import { apiError, type Page } from '@paddock/contract';
import { listPage, refusals, refusing } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { EventsQueryable, NewCompetitionRow } from '../database-schema.ts';
import { eventsError } from '../errors.ts';
import type { Competition, CompetitionNumbers, CompetitionQuery } from './schemas.ts';

/** Path parameters of a competition: `id` is that of the event. */
interface CompetitionPath {
	readonly id: string;
	readonly competitionId: string;
}

/** The columns of a competition that a client sets, with the arena's name. */
export type CompetitionDraft = Omit<NewCompetitionRow, 'id' | 'eventId' | 'status' | 'version'>;

const taken = refusals(eventsError, { competitions_event_id_number_key: 'COMPETITION_NUMBER_TAKEN' });

/** By number unless sorted otherwise. */
export function listCompetitions(
	db: EventsQueryable,
	eventId: string,
	query: CompetitionQuery,
): Promise<Page<Competition>> {
	let select = db.selectFrom('competitions').where('eventId', '=', eventId);
	if (query.discipline !== undefined) select = select.where('discipline', '=', query.discipline);
	if (query.date !== undefined) select = select.where('date', '=', query.date);
	return listPage(db, select, {
		request: pageRequest(query),
		sort: query.sort,
		order: { defaultSort: ['number'], alphabetical: ['name'] },
		find: (ids) => db.selectFrom('competitions').selectAll().where('id', 'in', ids).execute(),
	});
}

/** All competitions of an event, by number. Needs the lock on the event. */
export function competitionRows(db: EventsQueryable, eventId: string): Promise<Competition[]> {
	return db.selectFrom('competitions').selectAll().where('eventId', '=', eventId).orderBy('number').execute();
}

/** @throws ApiError NOT_FOUND */
export function getCompetition(
	db: EventsQueryable,
	{ id, competitionId }: CompetitionPath,
): Promise<Competition> {
	return db
		.selectFrom('competitions')
		.selectAll()
		.where('eventId', '=', id)
		.where('id', '=', competitionId)
		.executeTakeFirstOrThrow(() =>
			apiError('NOT_FOUND', { message: 'There is no such competition at this event.' }),
		);
}

/** Needs the lock on the event. @throws ApiError COMPETITION_NUMBER_TAKEN */
export function insertCompetition(
	db: EventsQueryable,
	eventId: string,
	draft: CompetitionDraft,
): Promise<Competition> {
	const insert = db
		.insertInto('competitions')
		.values({ ...draft, eventId })
		.returningAll();
	return refusing(taken, insert.executeTakeFirstOrThrow());
}

/** Needs the lock on the event. @throws ApiError COMPETITION_NUMBER_TAKEN */
export function updateCompetition(
	db: EventsQueryable,
	competitionId: string,
	changes: CompetitionDraft | { readonly status: 'CANCELLED' },
): Promise<Competition> {
	const update = db
		.updateTable('competitions')
		.set({ ...changes, version: sql`version + 1` })
		.where('id', '=', competitionId)
		.returningAll();
	return refusing(taken, update.executeTakeFirstOrThrow());
}

/** Moves competitions to other days. Needs the lock on the event. */
export async function moveCompetitions(
	db: EventsQueryable,
	moved: readonly Pick<Competition, 'id' | 'date'>[],
): Promise<void> {
	if (moved.length === 0) return;
	const rows = JSON.stringify(moved.map(({ id, date }) => ({ id, date })));
	await sql`
		update competitions set date = moved.date, version = version + 1
		from jsonb_to_recordset(${rows}::jsonb) as moved(id uuid, date date)
		where competitions.id = moved.id`.execute(db);
}

/** Needs the lock on the event. @throws ApiError COMPETITION_NUMBER_TAKEN, only for the result of the whole change */
export async function renumberCompetitions(
	db: EventsQueryable,
	numbers: CompetitionNumbers['numbers'],
): Promise<void> {
	const change = sql`
		update competitions set number = changed.number, version = version + 1
		from jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb) as changed("competitionId" uuid, number integer)
		where competitions.id = changed."competitionId" and competitions.number <> changed.number`;
	await refusing(taken, change.execute(db));
}

/** Whether the competition ever had a start. Valid only while the event is locked. */
export async function hasStarts(db: EventsQueryable, competitionId: string): Promise<boolean> {
	const start = db.selectFrom('starts').select('entryId').where('competitionId', '=', competitionId).limit(1);
	return (await start.executeTakeFirst()) !== undefined;
}

export async function deleteCompetition(db: EventsQueryable, competitionId: string): Promise<void> {
	await db.deleteFrom('competitions').where('id', '=', competitionId).execute();
}
