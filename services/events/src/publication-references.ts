import type { CallContext } from '@paddock/peers';
import type { CompetitionRow, EventRow } from './database-schema.ts';
import type { Directory } from './directory/directory.ts';
import { isValidOn } from './entries/check-competition.ts';
import type { Missing } from './event-readiness.ts';

/** An event and its competitions, whose references a publication checks. */
export interface PublishedRows {
	readonly event: Pick<EventRow, 'venueId' | 'organiserClubId' | 'ruleset'>;
	readonly competitions: readonly Pick<
		CompetitionRow,
		'number' | 'date' | 'arenaId' | 'ageClasses' | 'status'
	>[];
}

/**
 * References to records that are no longer in use. They were valid when stored, but the record may have been deleted or
 * deactivated since. Reads bypass the cache.
 * @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if a service does not respond.
 */
export async function missingReferences(
	directory: Directory,
	rows: PublishedRows,
	context: CallContext,
): Promise<readonly Missing[]> {
	const missing = await Promise.all([
		missingVenue(directory, rows, context),
		missingOrganiser(directory, rows, context),
		missingArenas(directory, rows, context),
		missingAgeClasses(directory, rows, context),
	]);
	return missing.flat();
}

/** Equal for rows with the same references. */
export function referencesKey({ event, competitions }: PublishedRows): string {
	const { venueId, organiserClubId, ruleset } = event;
	return JSON.stringify([
		venueId,
		organiserClubId,
		ruleset,
		open(competitions).map(({ number, date, arenaId, ageClasses }) => [number, date, arenaId, ageClasses]),
	]);
}

function open(competitions: PublishedRows['competitions']): PublishedRows['competitions'] {
	return competitions.filter(({ status }) => status === 'OPEN');
}

async function missingVenue(
	directory: Directory,
	{ event }: PublishedRows,
	context: CallContext,
): Promise<Missing[]> {
	if ((await directory.venue(event.venueId, context))?.isActive) return [];
	return [{ code: 'VENUE_NOT_IN_USE', message: 'The venue has been deleted or taken out of use.' }];
}

async function missingOrganiser(
	directory: Directory,
	{ event: { organiserClubId: id } }: PublishedRows,
	context: CallContext,
): Promise<Missing[]> {
	if ((await directory.clubs([id], context)).get(id)?.status === 'ACTIVE') return [];
	return [
		{ code: 'ORGANISER_NOT_IN_USE', message: 'The organising club has been deleted or is not active.' },
	];
}

async function missingArenas(
	directory: Directory,
	{ event, competitions }: PublishedRows,
	context: CallContext,
): Promise<Missing[]> {
	const ids = new Set(open(competitions).flatMap(({ arenaId }) => arenaId ?? []));
	const found = await Promise.all(
		[...ids].map(async (id) => ({ id, arena: await directory.arena(event.venueId, id, context) })),
	);
	const gone = new Set(found.filter(({ arena }) => !arena?.isActive).map(({ id }) => id));
	return open(competitions)
		.filter(({ arenaId }) => arenaId !== null && gone.has(arenaId))
		.map(({ number }) => ({
			code: 'ARENA_NOT_IN_USE',
			message: `The arena of competition ${number} has been deleted or taken out of use.`,
		}));
}

async function missingAgeClasses(
	directory: Directory,
	{ event, competitions }: PublishedRows,
	context: CallContext,
): Promise<Missing[]> {
	const restricted = open(competitions).filter(({ ageClasses }) => ageClasses.length > 0);
	if (restricted.length === 0) return [];
	const known = await directory.ageClasses(event.ruleset, context, { fresh: true });
	return restricted.flatMap(({ number, date, ageClasses }) =>
		ageClasses
			.filter((code) => !known.some((ageClass) => ageClass.code === code && isValidOn(ageClass, date)))
			.map((code) => ({
				code: 'AGE_CLASS_NOT_IN_USE' as const,
				message: `The age class ${code} of competition ${number} does not exist on its day.`,
			})),
	);
}
