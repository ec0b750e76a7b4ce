import { type Page, rankedMax } from '@paddock/contract';
import {
	alphabetical,
	anyOf,
	type Beginnings,
	beginsWith,
	frequentShare,
	isBeginning,
	isOneOf,
	isRecent,
	type ListOrder,
	listPage,
	type RowGroups,
	recentSince,
	shareOf,
	textMatches,
	textQuery,
} from '@paddock/database';
import type { Principal } from '@paddock/identity';
import { pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { EventsQueryable, EventsSchema } from '../database-schema.ts';
import { areFew, isNumber, matchingEntries, textOrNumber } from './conditions.ts';
import {
	concerns,
	eventsNotOver,
	hasPlaceOrWaits,
	isOpenEntry,
	isOpenHit,
	ridesForClubOf,
} from './rights/visibility.ts';
import type { EntriesQuery, EventEntriesQuery } from './schemas.ts';
import { type FullEntryRow, selectEntries } from './store.ts';

type EntrySortField = NonNullable<EntriesQuery['sort']>[number]['field'];

const expressions = {
	entryNumber: sql.ref('entries.entryNumber'),
	createdAt: sql.ref('entries.createdAt'),
	updatedAt: sql.ref('entries.updatedAt'),
	// Entries without a position come last.
	position: sql`coalesce(entries.position, 2147483647)`,
	status: sql.ref('entries.status'),
	// Sorting must not disclose a hidden name.
	riderName: sql`coalesce(case when entries.is_confirmed then entries.rider_name end, ${sql.lit('\uffff')}) collate "und-x-icu"`,
	horseName: alphabetical('entries.horseName'),
} satisfies ListOrder<EntrySortField>['expressions'];

const order: ListOrder<EntrySortField> = {
	defaultSort: ['-createdAt'],
	expressions,
	indexed: ['entryNumber', 'createdAt', 'updatedAt', 'position', 'status', 'riderName', 'horseName'],
};

/** All entries that match the query, or only those of riders of the own clubs. */
export type EntryListScope = 'all' | 'clubs';

interface EventEntriesViewer {
	readonly principal: Principal;
	/** Ids of the viewer's horses; `all` for callers who manage the event. */
	readonly keptHorses: ReadonlySet<string> | 'all';
	readonly now: Date;
}

/** Entries of an event that the viewer may see, by number unless sorted otherwise. */
export function listEventEntries(
	db: EventsQueryable,
	eventId: string,
	{ principal, keptHorses, now }: EventEntriesViewer,
	query: EventEntriesQuery,
): Promise<Page<FullEntryRow>> {
	const { type, competitionId } = query;
	let select = matchingEntries(db, { ...query, eventId }, now);
	if (keptHorses !== 'all') select = select.where(concerns(principal, keptHorses, now));
	if (type !== undefined) select = select.where(isOneOf('entries.type', type));
	if (competitionId !== undefined) {
		const starting = sql<boolean>`exists (
			select from starts
			where starts.entry_id = entries.id and starts.competition_id = any (${competitionId}::uuid[])
		)`;
		select = select.where(starting);
	}
	return listPage(db, select, pageOfEntries(db, query, { ...order, defaultSort: ['entryNumber'] }));
}

/** Entries of all events, newest first unless sorted otherwise. `scope`: the entries that the caller may list. */
export async function listEntries(
	db: EventsQueryable,
	query: EntriesQuery,
	scope: EntryListScope,
	{ principal, now }: Omit<EventEntriesViewer, 'keptHorses'>,
): Promise<Page<FullEntryRow>> {
	const { clubId, open, q } = query;
	const isOfClubs = scope === 'clubs' || clubId !== undefined;
	const narrowed = (wanted: EntriesQuery, isFrequentText = false, from = db.selectFrom('entries')) => {
		let select = matchingEntries(db, { ...wanted, isOfClubs, isFrequentText }, now, from);
		if (scope === 'clubs') select = select.where(ridesForClubOf(principal));
		if (clubId !== undefined) select = select.where(isOneOf('entries.riderClubId', clubId));
		return select;
	};
	const isFewer = areFew({ ...query, isOfClubs });
	const share = isFewer ? 0 : await shareOfText(db, query);
	const isCompared = share >= frequentShare;
	// Event by event, only as far as hits are counted.
	const from = open && isCompared ? entriesOf(db, eventsNotOver(now)) : undefined;
	let select = narrowed(query, isCompared, from);
	const groups = open && isByTime(query) ? openEvents(narrowed(query, true), now) : undefined;
	const isOpen = open === undefined ? sql<boolean>`true` : isOrNot(isOpenEntry(now), open);
	// A text that the sample does not have is rare: its entries are found first.
	if (from === undefined) select = select.where(open && share > 0 ? isOpenHit(now) : isOpen);
	else select = select.where(hasPlaceOrWaits);
	const page = { ...pageOfEntries(db, query, order), groups };
	if (q === undefined || isFewer) return listPage(db, select, page);
	const others = narrowed({ ...query, q: undefined }).where(isOpen);
	const conditions = textOrNumber(q, 'entries.searchText');
	return listPage(db, select, {
		...page,
		beginnings: beginningsOf(db, { ...query, q }),
		alternatives: isNumber(q) ? { conditions, matching: others } : undefined,
		foundIn: isNumber(q) ? hitsOf(db, conditions, others) : undefined,
		searched: {
			matching: others,
			isHit: sql`(select ${anyOf(conditions)} from entries where entries.id = candidates.id)`,
		},
	});
}

/** Entries of these events, each read by itself, whichever the planner would prefer. */
function entriesOf(db: EventsQueryable, events: RawBuilder<unknown>) {
	const entries = sql<EventsSchema['entries']>`(
		select entries.* from unnest(array(${events})) as event (id)
			cross join lateral (select * from entries where entries.event_id = event.id offset 0) as entries
	)`;
	return db.selectFrom(entries.as('entries')) as unknown as ReturnType<typeof db.selectFrom<'entries'>>;
}

/** The entries of horses of which the name begins with the text, if that is all that the query filters by. */
function beginningsOf(
	db: EventsQueryable,
	query: EntriesQuery & { readonly q: string },
): Beginnings | undefined {
	const { q, open, status, needsAttention, updatedSince } = query;
	const isFiltered = [open, status, needsAttention, updatedSince].some((filter) => filter !== undefined);
	if (isFiltered || !isBeginning(q)) return undefined;
	const condition = beginsWith('entries.horseName', q);
	return { condition, ids: db.selectFrom('entries').select('entries.id').where(condition) };
}

/** The share of the text where open or recent entries can be found by their events or their change; 0 elsewhere. */
async function shareOfText(db: EventsQueryable, query: EntriesQuery): Promise<number> {
	const { q, open, needsAttention, updatedSince } = query;
	const isEither = open === true || isRecent(updatedSince);
	if (q === undefined || needsAttention === true || !isEither) return 0;
	return await shareOf(db.selectFrom('entries'), textMatches('searchText', textQuery(q)), db);
}

/** Entries of the future are at the end of these orders, behind those of all events that are over. */
function isByTime({ sort = [], ...query }: EntriesQuery): boolean {
	const [first] = sort;
	const isAtEnd = first?.descending === false && (first.field === 'createdAt' || first.field === 'updatedAt');
	return isAtEnd && recentSince({ sort, ...query }) === undefined;
}

function openEvents(entries: ReturnType<typeof matchingEntries>, now: Date): RowGroups {
	const open = entries.where(hasPlaceOrWaits);
	return { ids: eventsNotOver(now), column: 'entries.eventId', matching: open as never };
}

/** Ids of the entries that meet one of the conditions, each found by its own index: for both at once all would be read from the table. */
function hitsOf(
	db: EventsQueryable,
	conditions: readonly RawBuilder<boolean>[],
	entries: ReturnType<typeof matchingEntries>,
) {
	const parts = conditions.map(
		(condition) =>
			sql`(${entries
				.where(condition)
				.select('entries.id')
				.limit(rankedMax + 1)})`,
	);
	return db.selectFrom(sql<{ id: string }>`(${sql.join(parts, sql` union `)})`.as('hits')) as never;
}

/** Not compared with the value: the planner turns a set of events into a join only if the condition is one of the query. */
function isOrNot(condition: RawBuilder<boolean>, is: boolean): RawBuilder<boolean> {
	return is ? condition : sql<boolean>`not ${condition}`;
}

/** Few entries, with an index that has all sort fields. */
const undecided: ReadonlySet<string> = new Set(['WAITLISTED', 'PENDING_CONFIRMATION']);

function pageOfEntries(
	db: EventsQueryable,
	query: Pick<EntriesQuery, 'sort' | 'q' | 'updatedSince' | 'status'> & Parameters<typeof pageRequest>[0],
	entryOrder: ListOrder<EntrySortField>,
) {
	return {
		request: pageRequest(query),
		sort: query.sort,
		order: entryOrder,
		id: 'entries.id',
		isSearch: query.q !== undefined,
		hasKeys: query.status?.every((status) => undecided.has(status)) === true,
		since: recentSince(query),
		find: (ids: readonly string[]) => selectEntries(db).where(isOneOf('entries.id', ids)).execute(),
	};
}

const exportedFirst = 50;
const exportedAtOnce = 500;

/**
 * In batches: an export must need no more memory for more entries, and no transaction waits for a slow client. The first one is small, as
 * the response begins with it.
 */
export async function* allEntriesOf(db: EventsQueryable, eventId: string): AsyncGenerator<FullEntryRow[]> {
	let after = 0;
	for (let limit = exportedFirst; ; limit = exportedAtOnce) {
		const rows = await selectEntries(db)
			.where('entries.eventId', '=', eventId)
			.where('entries.entryNumber', '>', after)
			.orderBy('entries.entryNumber')
			.limit(limit)
			.execute();
		if (rows.length > 0) yield rows;
		if (rows.length < limit) return;
		after = rows.at(-1)?.entryNumber ?? after;
	}
}
