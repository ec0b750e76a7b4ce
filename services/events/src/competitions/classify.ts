import type { FieldError } from '@paddock/contract';
import type { CompetitionRow, EventRow } from '../database-schema.ts';
import { levelsOfNamedTask } from '../rules/horse-ages.ts';
import {
	heightsOf,
	levelOfHeight,
	levelsOf,
	levelsOfTask,
	type ParsedLevel,
	parseLevel,
} from '../rules/levels.ts';
import type { CompetitionBody } from './schemas.ts';

export type ClassifiedBody = Omit<CompetitionBody, 'level'> & { readonly level: string };

type Ruled = Pick<EventRow, 'ruleset'>;

/** Fills in what level, height, distance and task imply for each other. A level that the competition already has is accepted. */
export function classified(
	body: CompetitionBody,
	{ ruleset }: Ruled,
	stored?: CompetitionRow,
): { readonly competition: ClassifiedBody; readonly errors: readonly FieldError[] } {
	const text = body.level ?? impliedLevel(body);
	const isStored = stored?.level === text && stored?.discipline === body.discipline;
	if (stored !== undefined && isStored && ownFields.every((field) => body[field] === stored[field])) {
		const competition = { ...body, level: stored.level };
		return { competition, errors: kindErrors(competition) };
	}
	const parsed =
		text === undefined
			? undefined
			: (parseLevel(text, { ...body, ruleset }) ?? (isStored ? { ...noParts, level: text } : undefined));
	const competition = {
		...body,
		level: parsed?.level ?? text ?? '',
		heightCm: body.heightCm ?? parsed?.heightCm ?? null,
		task: body.task ?? parsed?.task ?? null,
	};
	if (text === undefined) return { competition, errors: [error('level', 'REQUIRED', 'is required')] };
	if (parsed === undefined) {
		const known = levelsOf(body.discipline, ruleset).join(', ');
		const message = `must be a level of ${body.discipline}: ${known}`;
		return { competition, errors: [error('level', 'INVALID_FORMAT', message)] };
	}
	const errors = [
		...heightErrors(competition, parsed, ruleset),
		...taskErrors(competition),
		...kindErrors(competition),
	];
	return { competition, errors };
}

/** With the level and the discipline all that decides on the class. */
const ownFields = ['kind', 'heightCm', 'distanceKm', 'task', 'ponyOnly'] as const;

const noParts: Omit<ParsedLevel, 'level'> = { heightCm: null, task: null };

function error(field: string, code: FieldError['code'], message: string): FieldError {
	return { field, code, message };
}

function impliedLevel(body: CompetitionBody): string | undefined {
	const { heightCm, kind } = body;
	if (heightCm !== null) return levelOfHeight(body, heightCm);
	return kind === 'RIDING_HORSE' || kind === 'SUITABILITY' ? 'A' : undefined;
}

function heightErrors(
	competition: ClassifiedBody,
	parsed: ParsedLevel,
	ruleset: EventRow['ruleset'],
): readonly FieldError[] {
	const { discipline, heightCm, level } = competition;
	if (heightCm === null) return [];
	if (discipline !== 'JUMPING' && discipline !== 'EVENTING')
		return [error('heightCm', 'INVALID_RANGE', 'is for jumping and eventing only')];
	const range = heightsOf(competition);
	const agrees = parsed.heightCm === null || parsed.heightCm === heightCm;
	if (agrees && (range === undefined || ruleset === 'FEI')) return [];
	const [from, to] = range ?? [heightCm, heightCm];
	if (agrees && from <= heightCm && heightCm <= to && heightCm % 5 === 0) return [];
	const heights = from === to ? `${from}` : `a multiple of 5 from ${from} to ${to}`;
	return [error('heightCm', 'INVALID_RANGE', `must be ${heights} at level ${level}`)];
}

function taskErrors({ discipline, level, distanceKm, task }: ClassifiedBody): readonly FieldError[] {
	const errors: FieldError[] = [];
	if (distanceKm !== null && discipline !== 'ENDURANCE')
		errors.push(error('distanceKm', 'INVALID_RANGE', 'is for endurance only'));
	if (task === null) return errors;
	if (discipline !== 'DRESSAGE' && discipline !== 'PARA_DRESSAGE')
		return [...errors, error('task', 'INVALID_RANGE', 'is for dressage only')];
	const own = levelsOfTask(task) ?? levelsOfNamedTask(task);
	const isNational = !level.startsWith('C') && !level.startsWith('GRADE');
	if (own !== undefined && isNational && !own.includes(level))
		errors.push(error('task', 'INVALID_RANGE', `is a test of level ${own.join(', ')}, not ${level}`));
	return errors;
}

function kindErrors({ kind, discipline, horseMinAge, horseMaxAge }: ClassifiedBody): readonly FieldError[] {
	const errors: FieldError[] = [];
	if (kind === 'POWER_AND_SKILL' && discipline !== 'JUMPING')
		errors.push(error('kind', 'INVALID_RANGE', 'is a kind of jumping'));
	if (horseMinAge !== null && horseMaxAge !== null && horseMaxAge < horseMinAge)
		errors.push(error('horseMaxAge', 'INVALID_RANGE', 'must not be less than horseMinAge'));
	return errors;
}
