import type { Migration } from '@paddock/database';
import { type Kysely, sql } from 'kysely';
import type { Discipline, Ruleset } from '../enumerations.ts';
import { horseAgesOf } from '../rules/horse-ages.ts';
import { heightsOf, type ParsedLevel, parseLevel } from '../rules/levels.ts';

/** A competition as the version before stored it. */
interface OldCompetition {
	readonly id: string;
	readonly number: number;
	readonly name: string;
	readonly discipline: Discipline;
	readonly level: string;
	readonly date: string;
	readonly ponyOnly: boolean;
	readonly horseMinAge: number;
	readonly eventNumber: string;
	readonly ruleset: Ruleset;
}

const reportsMax = 100;
const batchRows = 2_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Kind, height, distance and test of competitions. They are read from the text of the level, and from the name if it
 * agrees. A level that is not clear stays as it is and is reported. The minimum age of horses follows the rules (OeTO
 * §53.2, §108.2, §200.7, §608.1) where it was the one that the version before derived from the level.
 */
export const competitionClasses: Migration = {
	up: async (db) => {
		await sql`
			alter table competitions
				add column kind text not null default 'STANDARD',
				add column height_cm integer check (height_cm between 30 and 240),
				add column distance_km integer check (distance_km between 1 and 300),
				add column task text,
				add column horse_max_age integer check (horse_max_age between 0 and 30)`.execute(db);
		for await (const rows of batches(db))
			await sql`
				update competitions set level = new.level, height_cm = new."heightCm", distance_km = new."distanceKm",
					task = new.task, horse_min_age = new."horseMinAge", version = version + 1
				from jsonb_to_recordset(${JSON.stringify(rows.map(migrated))}::jsonb) as new (
					id uuid, level text, "heightCm" integer, "distanceKm" integer, task text, "horseMinAge" integer
				)
				where competitions.id = new.id`.execute(db);
	},
	report: async (db) => {
		const reports = [];
		for await (const rows of batches(db))
			for (const { eventNumber, number, level, ...old } of rows) {
				const doubt = doubtOf({ ...old, level });
				if (doubt !== undefined) reports.push({ eventNumber, competition: number, level, doubt });
			}
		const more = reports.length - reportsMax;
		return more <= 0 ? reports : [...reports.slice(0, reportsMax), { furtherUnclearLevels: more }];
	},
};

/** Competitions that take place, in batches by id. */
async function* batches(db: Kysely<unknown>): AsyncGenerator<readonly OldCompetition[]> {
	let after: string | undefined = firstId;
	while (after !== undefined) {
		const { rows } = await sql<OldCompetition>`
			select competitions.id, competitions.number, competitions.name, competitions.discipline, competitions.level,
				competitions.date::text as date, competitions.pony_only as "ponyOnly",
				competitions.horse_min_age as "horseMinAge", events.event_number as "eventNumber", events.ruleset
			from competitions join events on events.id = competitions.event_id
			where competitions.id > ${after}::uuid order by competitions.id limit ${batchRows}`.execute(db);
		yield rows;
		after = rows.length < batchRows ? undefined : rows.at(-1)?.id;
	}
}

/** The new columns of a competition. */
export function migrated(old: OldCompetition) {
	const { id, discipline, ponyOnly, date, horseMinAge } = old;
	const parsed = parsedLevel(old);
	const level = parsed?.level ?? old.level;
	const named = numberBefore(old.name, 'cm');
	const [from, to] = heightsOf({ discipline, ponyOnly, level }) ?? [Infinity, 0];
	const nameAgrees = named !== null && from <= named && named <= to;
	const heightCm = validHeight(parsed?.heightCm ?? (nameAgrees ? named : null));
	const distanceKm = discipline === 'ENDURANCE' ? numberBefore(old.name, 'km') : null;
	const task = parsed?.task ?? null;
	const competition = { discipline, ponyOnly, level, heightCm, distanceKm, task, date };
	const isDerived = parsed !== undefined && old.ruleset === 'OETO' && horseMinAge === formerMinAge(old);
	return {
		id,
		level,
		heightCm,
		distanceKm,
		task,
		horseMinAge: isDerived ? horseAgesOf({ ...competition, kind: 'STANDARD' }).min : horseMinAge,
	};
}

/** Why the level of a competition is not clear; undefined if it is. */
export function doubtOf(
	competition: Pick<OldCompetition, 'name' | 'discipline' | 'level' | 'ponyOnly' | 'ruleset'>,
): string | undefined {
	const { name, discipline, level, ruleset } = competition;
	const parsed = parsedLevel(competition);
	if (parsed === undefined)
		return parseLevel(level, competition) === undefined
			? `not a level of ${discipline}`
			: 'the level has other heights';
	const named = numberBefore(name, 'cm');
	if (discipline !== 'JUMPING' || ruleset !== 'OETO' || named === null) return undefined;
	const [from, to] = heightsOf({ ...competition, level: parsed.level }) ?? [named, named];
	return named < from || named > to ? `the name has ${named} cm` : undefined;
}

/** Undefined also if the height behind a level is none of that level: `A 140`. */
function parsedLevel(
	competition: Pick<OldCompetition, 'discipline' | 'level' | 'ponyOnly' | 'ruleset'>,
): ParsedLevel | undefined {
	const parsed = parseLevel(competition.level, competition);
	const heightCm = parsed?.heightCm ?? null;
	if (parsed === undefined || heightCm === null || competition.ruleset !== 'OETO') return parsed;
	const [from, to] = heightsOf({ ...competition, level: parsed.level }) ?? [0, 0];
	return from <= heightCm && heightCm <= to ? parsed : undefined;
}

const validHeight = (cm: number | null) => (cm !== null && cm >= 30 && cm <= 240 ? cm : null);

function numberBefore(name: string, unit: 'cm' | 'km'): number | null {
	const found = new RegExp(`(?<![\\d.,])(\\d{2,3})([.,]0+)? ?${unit}\\b`, 'i').exec(name)?.[1];
	return found === undefined || Number(found) > 300 || Number(found) === 0 ? null : Number(found);
}

/** The minimum age that versions before this one derived from a level. */
function formerMinAge({ level, ponyOnly }: OldCompetition): number {
	const eventingCm = /^V ?(\d+)/.exec(level)?.[1];
	if (eventingCm !== undefined) {
		const ofFiveYears = ponyOnly ? 90 : 105;
		if (Number(eventingCm) < ofFiveYears) return 4;
		return Number(eventingCm) === ofFiveYears ? 5 : 6;
	}
	const [name = ''] = level.split(/[ *./\d-]/);
	if (name === 'E' || name === 'A') return 4;
	return name === 'L' || name === 'LP' ? 5 : 6;
}
