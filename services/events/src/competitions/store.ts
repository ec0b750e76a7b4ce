import { apiError, type Page } from '@paddock/contract';
import {
	anyOf,
	hasChangedSince,
	isOneOf,
	listPage,
	refusals,
	refusing,
	searchLines,
	textMatches,
	textQuery,
} from '@paddock/database';
import { pageRequest, withInstants } from '@paddock/service';
import { type Selectable, sql } from 'kysely';
import type { EventsQueryable, EventsSchema, NewCompetitionRow } from '../database-schema.ts';
import { eventsError } from '../errors.ts';
import type { Competition, CompetitionNumbers, CompetitionQuery } from './schemas.ts';

interface CompetitionPath {
	readonly id: string;
	readonly competitionId: string;
}

/** The columns of a competition that a client sets, with the arena's name. */
export type CompetitionDraft = Omit<
	NewCompetitionRow,
	'id' | 'eventId' | 'status' | 'version' | 'searchText'
>;

const taken = refusals(eventsError, { competitions_event_id_number_key: 'COMPETITION_NUMBER_TAKEN' });

export function listCompetitions(
	db: EventsQueryable,
	eventId: string,
	query: CompetitionQuery,
): Promise<Page<Competition>> {
	let select = db.selectFrom('competitions').where('eventId', '=', eventId);
	const { q, discipline, date, updatedSince } = query;
	if (discipline !== undefined) select = select.where(isOneOf('discipline', discipline));
	if (date !== undefined) select = select.where('date', 'in', date);
	if (updatedSince !== undefined) select = select.where(hasChangedSince(updatedSince));
	if (q !== undefined)
		select = select.where(anyOf([textMatches('searchText', textQuery(q)), sql`number::text = ${q}`]));
	return listPage(db, select, {
		request: pageRequest(query),
		sort: query.sort,
		order: { defaultSort: ['number'], alphabetical: ['name'] },
		find: async (ids) => {
			const rows = await db.selectFrom('competitions').selectAll().where(isOneOf('id', ids)).execute();
			return rows.map(toCompetition);
		},
	});
}

function toCompetition({ searchText, ...row }: Selectable<EventsSchema['competitions']>): Competition {
	return withInstants(row);
}

/** All competitions of an event, by number. Before a write it needs the lock on the event. */
export async function competitionRows(db: EventsQueryable, eventId: string): Promise<Competition[]> {
	const all = db.selectFrom('competitions').selectAll().where('eventId', '=', eventId).orderBy('number');
	return (await all.execute()).map(toCompetition);
}

/** @throws ApiError NOT_FOUND */
export async function getCompetition(
	db: EventsQueryable,
	{ id, competitionId }: CompetitionPath,
): Promise<Competition> {
	const row = await db
		.selectFrom('competitions')
		.selectAll()
		.where('eventId', '=', id)
		.where('id', '=', competitionId)
		.executeTakeFirstOrThrow(() =>
			apiError('NOT_FOUND', { message: 'There is no such competition at this event.' }),
		);
	return toCompetition(row);
}

function searchTextOf({ name, level, task = null }: CompetitionDraft): string {
	return searchLines(name, level, task);
}

/** Needs the lock on the event. @throws ApiError COMPETITION_NUMBER_TAKEN */
export async function insertCompetition(
	db: EventsQueryable,
	eventId: string,
	draft: CompetitionDraft,
): Promise<Competition> {
	const insert = db
		.insertInto('competitions')
		.values({ ...draft, eventId, searchText: searchTextOf(draft) })
		.returningAll();
	return toCompetition(await refusing(taken, insert.executeTakeFirstOrThrow()));
}

/** Needs the lock on the event. @throws ApiError COMPETITION_NUMBER_TAKEN */
export async function updateCompetition(
	db: EventsQueryable,
	competitionId: string,
	changes: CompetitionDraft | { readonly status: 'CANCELLED' },
): Promise<Competition> {
	const update = db
		.updateTable('competitions')
		.set({
			...changes,
			...('name' in changes ? { searchText: searchTextOf(changes) } : {}),
			version: sql`version + 1`,
		})
		.where('id', '=', competitionId)
		.returningAll();
	return toCompetition(await refusing(taken, update.executeTakeFirstOrThrow()));
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
