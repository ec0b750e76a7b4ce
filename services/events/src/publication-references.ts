import type { CompetitionRow, EventRow } from './database-schema.ts';
import type { EventsDeps } from './deps.ts';
import type { CallContext } from './directory/call-context.ts';
import type { AgeClassReference } from './directory/masterdata.ts';
import type { Missing } from './event-readiness.ts';

type Asked = Pick<EventsDeps, 'directory' | 'masterdata'>;

/** An event and its competitions, whose references a publication checks. */
export interface PublishedRows {
	readonly event: Pick<EventRow, 'venue_id' | 'organiser_club_id' | 'ruleset'>;
	readonly competitions: readonly Pick<
		CompetitionRow,
		'number' | 'date' | 'arena_id' | 'age_classes' | 'status'
	>[];
}

/**
 * References to records that are no longer in use. They were valid when stored, but the record may have been deleted or
 * deactivated since. Reads bypass the cache.
 * @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if a service does not respond.
 */
export async function missingReferences(
	asked: Asked,
	rows: PublishedRows,
	context: CallContext,
): Promise<readonly Missing[]> {
	const missing = await Promise.all([
		missingVenue(asked, rows, context),
		missingOrganiser(asked, rows, context),
		missingArenas(asked, rows, context),
		missingAgeClasses(asked, rows, context),
	]);
	return missing.flat();
}

/** Equal for rows with the same references. */
export function referencesKey({ event, competitions }: PublishedRows): string {
	const { venue_id, organiser_club_id, ruleset } = event;
	return JSON.stringify([
		venue_id,
		organiser_club_id,
		ruleset,
		open(competitions).map(({ number, date, arena_id, age_classes }) => [
			number,
			date,
			arena_id,
			age_classes,
		]),
	]);
}

function open(competitions: PublishedRows['competitions']): PublishedRows['competitions'] {
	return competitions.filter(({ status }) => status === 'OPEN');
}

async function missingVenue(
	{ masterdata }: Asked,
	{ event }: PublishedRows,
	context: CallContext,
): Promise<Missing[]> {
	if ((await masterdata.venue(event.venue_id, context))?.isActive) return [];
	return [{ code: 'VENUE_NOT_IN_USE', message: 'The venue has been deleted or taken out of use.' }];
}

async function missingOrganiser(
	{ directory }: Asked,
	{ event: { organiser_club_id: id } }: PublishedRows,
	context: CallContext,
): Promise<Missing[]> {
	if ((await directory.clubs([id], context)).get(id)?.status === 'ACTIVE') return [];
	return [
		{ code: 'ORGANISER_NOT_IN_USE', message: 'The organising club has been deleted or is not active.' },
	];
}

async function missingArenas(
	{ masterdata }: Asked,
	{ event, competitions }: PublishedRows,
	context: CallContext,
): Promise<Missing[]> {
	const ids = new Set(open(competitions).flatMap(({ arena_id }) => arena_id ?? []));
	const found = await Promise.all(
		[...ids].map(async (id) => ({ id, arena: await masterdata.arena(event.venue_id, id, context) })),
	);
	const gone = new Set(found.filter(({ arena }) => !arena?.isActive).map(({ id }) => id));
	return open(competitions)
		.filter(({ arena_id }) => arena_id !== null && gone.has(arena_id))
		.map(({ number }) => ({
			code: 'ARENA_NOT_IN_USE',
			message: `The arena of competition ${number} has been deleted or taken out of use.`,
		}));
}

async function missingAgeClasses(
	{ masterdata }: Asked,
	{ event, competitions }: PublishedRows,
	context: CallContext,
): Promise<Missing[]> {
	const restricted = open(competitions).filter(({ age_classes }) => age_classes.length > 0);
	if (restricted.length === 0) return [];
	const known = await masterdata.ageClasses(event.ruleset, context, { fresh: true });
	return restricted.flatMap(({ number, date, age_classes }) =>
		age_classes
			.filter((code) => !known.some((ageClass) => ageClass.code === code && isValidOn(ageClass, date)))
			.map((code) => ({
				code: 'AGE_CLASS_NOT_IN_USE' as const,
				message: `The age class ${code} of competition ${number} does not exist on its day.`,
			})),
	);
}

function isValidOn({ validFrom, validTo }: AgeClassReference, date: string): boolean {
	return (validFrom ?? date) <= date && date <= (validTo ?? date);
}
