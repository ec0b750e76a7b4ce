import { sql } from 'kysely';
import type { CompetitionRow, EventRow, EventsQueryable } from '../database-schema.ts';
import { openStatuses } from '../enumerations.ts';
import { ridersPerHorse } from '../rules/entry-rules.ts';
import type { StartElsewhere, StartedChampionship } from '../rules/ruled-entry.ts';
import type { EntryFacts } from './check-entry.ts';
import type { EntryOfHorse, OpenStart, ParticipantIds, TakenCompetitionRow } from './places.ts';
import { isOpenStatus } from './rules.ts';

/** The other entries and starts of a horse and a rider, which the rules about an entry count. */
export type Neighbours = Pick<
	EntryFacts,
	'horseHasEntry' | 'isFurtherEntry' | 'otherStarts' | 'elsewhere' | 'championships'
>;

interface Asked {
	readonly ids: ParticipantIds;
	/** The competitions of the event; those that the entry requests. */
	readonly all: readonly TakenCompetitionRow[];
	readonly competitions: readonly TakenCompetitionRow[];
	readonly openStarts: readonly OpenStart[];
	/** Those of the horse, see `readPairAtEvent`. */
	readonly entriesOfHorse: readonly EntryOfHorse[];
	/** If it was read for several entries: of these horses on these days. */
	readonly elsewhere?: readonly HorseElsewhere[] | undefined;
	/** The entry itself, if it exists. */
	readonly entry:
		| {
				readonly id: string;
				readonly isOpen: boolean;
				readonly isAdditional: boolean;
				readonly kept: readonly string[];
		  }
		| undefined;
}

/** The neighbours of one requested entry. In a transaction it waits for other entries of the rider in a championship. */
export async function findNeighbours(
	db: EventsQueryable,
	event: EventRow,
	{ ids, all, competitions, openStarts, entriesOfHorse, elsewhere: read, entry }: Asked,
): Promise<Neighbours> {
	const { horseId, riderMemberId } = ids;
	const open = entriesOfHorse.filter(({ status }) => isOpenStatus(status));
	const isOnlyOne = entry?.isOpen === true && !entry.isAdditional;
	const horseHasEntry = !isOnlyOne && open.length > 0;
	const isFurtherEntry =
		horseHasEntry &&
		event.ruleset === 'OETO' &&
		competitions.every((row) => ridersPerHorse(row, event.category) > 1) &&
		!open.some((of) => of.riderMemberId === riderMemberId);
	const starting = new Set([
		...(entry?.kept ?? []),
		...openStarts.filter((start) => start.horseId === horseId).map(({ competitionId }) => competitionId),
	]);
	const isChampionship = competitions.some(({ championship }) => championship !== null);
	if (isChampionship) await waitForStarts(db, riderMemberId);
	const days = daysOf(competitions);
	const [elsewhere, championships] = [
		read?.filter((start) => start.horseId === horseId && days.includes(start.date)) ??
			(await listStartsElsewhere(db, event.id, [horseId], days)),
		isChampionship ? await listChampionships(db, [riderMemberId], entry?.id) : [],
	];
	return {
		horseHasEntry,
		isFurtherEntry,
		otherStarts: all.filter(({ id }) => starting.has(id)),
		elsewhere,
		championships,
	};
}

export const daysOf = (competitions: readonly Pick<CompetitionRow, 'date'>[]) => [
	...new Set(competitions.map(({ date }) => date)),
];

/** So that entries of a horse or a rider at two events, which have two locks, do not miss each other. */
async function waitForStarts(db: EventsQueryable, id: string): Promise<void> {
	if (db.isTransaction) await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 28))`.execute(db);
}

interface StoredIds extends ParticipantIds {
	readonly id: string;
}

interface StoredNeighbours extends Pick<Neighbours, 'otherStarts' | 'elsewhere' | 'championships'> {
	/** The riders of the horse's other open starts in a competition, as ids. */
	ridersIn(competitionId: string): readonly string[];
}

/** The neighbours of entries that are judged again, by their ids. Needs the lock on the event. */
export async function neighboursOfAll(
	db: EventsQueryable,
	event: Pick<EventRow, 'id'>,
	entries: readonly StoredIds[],
	competitions: ReadonlyMap<string, CompetitionRow>,
): Promise<(entry: StoredIds) => StoredNeighbours> {
	const horses = entries.map(({ horseId }) => horseId);
	const all = [...competitions.values()];
	const here = await listStartsOfHorses(db, event.id, horses);
	const elsewhere = await listStartsElsewhere(db, event.id, horses, daysOf(all));
	const isChampionship = all.some(({ championship }) => championship !== null);
	const riders = entries.map(({ riderMemberId }) => riderMemberId);
	const championships = isChampionship ? await listChampionships(db, riders) : [];
	return ({ id, horseId, riderMemberId }) => {
		const others = (here.get(horseId) ?? []).filter(({ entryId }) => entryId !== id);
		return {
			otherStarts: others.flatMap(({ competitionId }) => competitions.get(competitionId) ?? []),
			ridersIn: (competitionId) =>
				others.filter((start) => start.competitionId === competitionId).map((start) => start.riderMemberId),
			elsewhere: elsewhere.filter((start) => start.horseId === horseId),
			championships: championships.filter(
				(start) => start.riderMemberId === riderMemberId && start.entryId !== id,
			),
		};
	};
}

type StartHere = OpenStart & { readonly entryId: string };

async function listStartsOfHorses(
	db: EventsQueryable,
	eventId: string,
	horseIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StartHere[]>> {
	const rows = await db
		.selectFrom('starts')
		.innerJoin('competitions', 'competitions.id', 'starts.competitionId')
		.select(['starts.entryId', 'starts.competitionId', 'starts.horseId', 'starts.riderMemberId'])
		.where('competitions.eventId', '=', eventId)
		.where('starts.horseId', '=', sql<string>`any(${horseIds}::uuid[])`)
		.where('starts.status', 'in', openStatuses)
		.execute();
	return Map.groupBy(rows, ({ horseId }) => horseId);
}

export type HorseElsewhere = StartElsewhere & Pick<ParticipantIds, 'horseId'>;

/** Open starts of horses on these days at other published events. */
export async function listStartsElsewhere(
	db: EventsQueryable,
	eventId: string,
	horseIds: readonly string[],
	days: readonly string[],
): Promise<HorseElsewhere[]> {
	if (days.length === 0) return [];
	return await db
		.selectFrom('entries')
		.innerJoin('starts', 'starts.entryId', 'entries.id')
		.innerJoin('competitions', 'competitions.id', 'starts.competitionId')
		.innerJoin('events', 'events.id', 'entries.eventId')
		.select(['competitions.date', 'competitions.discipline', 'entries.horseId'])
		.where('entries.horseId', '=', anyOf(horseIds))
		.where('starts.status', 'in', openStatuses)
		.where('events.id', '<>', eventId)
		.where('events.status', '=', 'PUBLISHED')
		.where('competitions.date', 'in', days)
		.execute();
}

/** One value is compared as such: the server would plan for ten, and so plan the statement of each entry anew. */
const anyOf = (ids: readonly string[]) =>
	ids.length === 1 ? sql<string>`${ids[0]}::uuid` : sql<string>`any(${ids}::uuid[])`;

type RidersChampionship = StartedChampionship &
	Pick<ParticipantIds, 'riderMemberId'> & { readonly entryId: string };

/** Championships that riders have a place in or wait for one, over all published and completed events. */
async function listChampionships(
	db: EventsQueryable,
	riderIds: readonly string[],
	exceptEntry?: string,
): Promise<RidersChampionship[]> {
	const all = db
		.selectFrom('starts')
		.innerJoin('competitions', 'competitions.id', 'starts.competitionId')
		.innerJoin('events', 'events.id', 'competitions.eventId')
		.select(['starts.entryId', 'starts.riderMemberId', 'competitions.discipline', 'competitions.date'])
		.select(sql<string>`competitions.championship`.as('championship'))
		.where('starts.riderMemberId', '=', sql<string>`any(${riderIds}::uuid[])`)
		.where('starts.status', 'in', openStatuses)
		.where('events.status', 'in', ['PUBLISHED', 'COMPLETED'])
		.where('competitions.championship', 'is not', null);
	return await (exceptEntry === undefined ? all : all.where('starts.entryId', '<>', exceptEntry)).execute();
}
