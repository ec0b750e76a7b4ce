import { type FieldError, refuseInvalid } from '@paddock/contract';
import type { CallContext } from '@paddock/peers';
import type { CompetitionRow, EventRow } from '../database-schema.ts';
import { eventsError } from '../errors.ts';
import type { Directory } from '../peers/directory.ts';
import { horseMinAgeAllowed, horseMinAgeOf } from './horse-age-rule.ts';
import type { CompetitionBody } from './schemas.ts';
import type { CompetitionDraft } from './store.ts';

/**
 * Checks that a competition fits its event and the rules.
 * @throws ApiError VALIDATION_ERROR with all violations, `others` included; HORSE_MIN_AGE_BELOW_RULES.
 */
export function requireFitting(
	body: CompetitionBody,
	event: Pick<EventRow, 'startDate' | 'endDate' | 'disciplines' | 'ruleset'>,
	others: readonly FieldError[] = [],
): void {
	const errors: FieldError[] = [...others];
	if (body.date < event.startDate || body.date > event.endDate)
		errors.push({
			field: 'date',
			code: 'INVALID_RANGE',
			message: `must be a day of the event, ${event.startDate} to ${event.endDate}`,
		});
	if (!event.disciplines.includes(body.discipline))
		errors.push({
			field: 'discipline',
			code: 'INVALID_REFERENCE',
			message: `must be a discipline of the event: ${event.disciplines.join(', ')}`,
		});
	refuseInvalid(errors);
	requireHorseAge(body, event);
}

function requireHorseAge(body: CompetitionBody, { ruleset }: Pick<EventRow, 'ruleset'>): void {
	const { horseMinAge, level } = body;
	const least = horseMinAgeAllowed(ruleset, body);
	if (horseMinAge === null || horseMinAge >= least) return;
	throw eventsError('HORSE_MIN_AGE_BELOW_RULES', {
		message: `Horses at level ${level} must be ${least} or older (OeTO §53.2).`,
		context: { horseMinAge, least },
	});
}

/** The columns for a body. */
export function competitionDraft(body: CompetitionBody, arenaName: string | null): CompetitionDraft {
	return { ...body, arenaName, horseMinAge: body.horseMinAge ?? horseMinAgeOf(body) };
}

/** The result of resolving the references of a body in the master data. */
interface CompetitionReferences {
	readonly arenaName: string | null;
	readonly errors: readonly FieldError[];
}

/**
 * Looks up arena and age classes in parallel; references that the stored competition already has are not looked up
 * again.
 * @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if a service does not respond.
 */
export async function competitionReferences(
	directory: Directory,
	body: CompetitionBody,
	event: Pick<EventRow, 'venueId' | 'ruleset'>,
	stored: CompetitionRow | undefined,
	context: CallContext,
): Promise<CompetitionReferences> {
	const [arena, ageClassErrors] = await Promise.all([
		findArena(directory, body, event, stored, context),
		unknownAgeClasses(directory, body, event, stored, context),
	]);
	return { arenaName: arena.arenaName, errors: [...arena.errors, ...ageClassErrors] };
}

async function findArena(
	directory: Directory,
	{ arenaId }: CompetitionBody,
	{ venueId }: Pick<EventRow, 'venueId'>,
	stored: CompetitionRow | undefined,
	context: CallContext,
): Promise<CompetitionReferences> {
	if (arenaId === null) return { arenaName: null, errors: [] };
	if (arenaId === stored?.arenaId) return { arenaName: stored.arenaName, errors: [] };
	const arena = await directory.arena(venueId, arenaId, context);
	if (arena?.isActive) return { arenaName: arena.name, errors: [] };
	const message = 'is not the id of an arena of the venue that is in use';
	return { arenaName: null, errors: [{ field: 'arenaId', code: 'INVALID_REFERENCE', message }] };
}

async function unknownAgeClasses(
	directory: Directory,
	{ ageClasses, discipline }: CompetitionBody,
	{ ruleset }: Pick<EventRow, 'ruleset'>,
	stored: CompetitionRow | undefined,
	context: CallContext,
): Promise<readonly FieldError[]> {
	const before = new Set(stored?.discipline === discipline ? stored.ageClasses : []);
	if (ageClasses.every((code) => before.has(code))) return [];
	const definitions = await directory.ageClasses(ruleset, context);
	return ageClasses.flatMap((code, index) => {
		if (before.has(code)) return [];
		const named = definitions.filter((definition) => definition.code === code);
		if (named.some((definition) => definition.discipline === null || definition.discipline === discipline))
			return [];
		const message =
			named.length === 0
				? `is not an age class of the ruleset ${ruleset}`
				: `is an age class of another discipline than ${discipline}`;
		return [{ field: `ageClasses[${index}]`, code: 'INVALID_REFERENCE' as const, message }];
	});
}
