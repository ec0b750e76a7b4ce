import { isDeepStrictEqual } from 'node:util';
import { apiError, type FieldError, refuseInvalid } from '@paddock/contract';
import { inTransaction, once } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import { type RecordCall, requireVersion, type Update, type UpdateCall } from '@paddock/service';
import type { CompetitionRow, EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { cancelStartsOfCompetition } from '../entries/refunds.ts';
import { freeAfterMove, type Move, prepareRejudging, rejudgeEntries } from '../entries/rejudge-entries.ts';
import { entriesInDoubt } from '../entries/view.ts';
import { blockedEntries, promoteWaiting } from '../entries/waiting-list.ts';
import { eventsError } from '../errors.ts';
import { getManagedEvent, lockManagedEvent } from '../events/access.ts';
import { tellOfCancelledCompetition, tellOfMovedCompetition } from '../events/event-mails.ts';
import { requireOfficerFor, requireOpenForChange } from '../events/rules.ts';
import type { ClassifiedBody } from './classify.ts';
import { competitionDraft, competitionReferences, requireFitting, usualMinAge } from './rules.ts';
import type { Competition, CompetitionBody, CompetitionNumbers } from './schemas.ts';
import {
	competitionRows,
	deleteCompetition as deleteRow,
	getCompetition,
	hasStarts,
	insertCompetition,
	renumberCompetitions,
	updateCompetition,
} from './store.ts';

type CompetitionIds = { readonly params: { readonly id: string; readonly competitionId: string } };
type CompetitionCall = Omit<RecordCall, 'body'> & CompetitionIds;
type CompetitionUpdate = UpdateCall<CompetitionBody> & CompetitionIds;

/** @throws ApiError, see the route; errors of peer calls. */
export function createCompetition(
	call: RecordCall<CompetitionBody>,
	{ db, directory }: EventsDeps,
): Promise<Competition> {
	const { params, body } = call;
	return once(db, call, {
		operationId: 'createCompetition',
		input: { params, body },
		check: async () => {
			const read = await getManagedEvent(db, call);
			requireAddable(read, call);
			const references = await competitionReferences(directory, body, read, undefined, call);
			requireFitting(body, read, { errors: references.errors });
			return { read, arenaName: references.arenaName };
		},
		effect: async (transaction, { read, arenaName }) => {
			const event = await lockManagedEvent(transaction, call);
			requireAddable(event, call);
			requireUnmoved(event, read, call);
			const others = await openRows(transaction, event.id);
			const competition = requireFitting(body, event, { others });
			return insertCompetition(transaction, params.id, competitionDraft(competition, arenaName));
		},
	});
}

/** The office adds competitions to a published event, as it approved the announcement. @throws ApiError FORBIDDEN */
function requireAddable(event: EventRow, call: Pick<RecordCall, 'principal' | 'now'>): void {
	requireOpenForChange(event, call);
	if (event.status === 'PUBLISHED') requireOfficerFor(['competitions'], call.principal);
}

/** @throws ApiError, see the route; errors of peer calls. */
export async function changeCompetition(call: CompetitionUpdate, deps: EventsDeps): Promise<Competition> {
	const { params, update, principal } = call;
	const { db, directory } = deps;
	const read = await getManagedEvent(db, call);
	requireOpenForChange(read, call);
	const before = await getCompetition(db, params);
	const wanted = bodyOnto(before, update);
	const { arenaName, errors } = await competitionReferences(directory, wanted, read, before, call);
	requireFitting(wanted, read, { errors, stored: before });
	const isRestricted = wanted.ageClasses.length > 0;
	return change({ read, isRestricted }, call, deps, async (transaction, event, stored) => {
		requireUnmoved(event, read, call);
		const body = bodyOnto(stored, update);
		const others = (await openRows(transaction, event.id)).filter(({ id }) => id !== stored.id);
		const competition = requireFitting(body, event, { stored, others });
		if (body.arenaId !== wanted.arenaId) throw apiError('CONFLICT'); // Its name is that of the other arena.
		requireCheckedClasses(body, stored, wanted);
		requireCompetitionChangeable(event, stored, competition, principal);
		return updateCompetition(transaction, stored.id, competitionDraft(competition, arenaName));
	});
}

/** What follows from the level follows it, unless the body names it: clients of earlier versions know the level only. */
function bodyOnto(stored: Competition, update: Update<CompetitionBody>): CompetitionBody {
	const changes = (field: 'level' | 'discipline' | 'ponyOnly') =>
		![undefined, null, stored[field]].includes(update.named[field] as never);
	const hasOtherClass = changes('level') || changes('discipline') || changes('ponyOnly');
	const known = {
		...stored,
		...(stored.horseMinAge === usualMinAge(stored) ? { horseMinAge: null } : {}),
		...(hasOtherClass ? { heightCm: null, task: null } : {}),
		...(changes('discipline') ? { distanceKm: null } : {}),
	};
	return update.onto(known, ['entriesNeedingAttention']);
}

/** At once, so that numbers can be swapped; a repeated request changes nothing. @throws ApiError, see the route. */
export function renumber(
	call: RecordCall<CompetitionNumbers>,
	{ db }: EventsDeps,
): Promise<{ items: Competition[] }> {
	const { numbers } = call.body;
	return inTransaction(db, async (transaction) => {
		const event = await lockManagedEvent(transaction, call);
		requireOpenForChange(event, call);
		const known = new Set((await competitionRows(transaction, event.id)).map(({ id }) => id));
		refuseInvalid(
			numbers.flatMap(({ competitionId }, index) =>
				known.has(competitionId) ? [] : [unknownCompetition(index)],
			),
		);
		await renumberCompetitions(transaction, numbers);
		const named = new Set(numbers.map(({ competitionId }) => competitionId));
		return { items: (await competitionRows(transaction, event.id)).filter(({ id }) => named.has(id)) };
	});
}

const unknownCompetition = (index: number): FieldError => ({
	field: `numbers[${index}].competitionId`,
	code: 'INVALID_REFERENCE',
	message: 'is not the id of a competition of the event',
});

export async function cancelCompetition(call: CompetitionCall, deps: EventsDeps): Promise<Competition> {
	const read = await getManagedEvent(deps.db, call);
	return change({ read, isRestricted: false }, call, deps, async (transaction, event, stored) => {
		if (stored.status === 'CANCELLED') {
			const context = { from: stored.status, to: 'CANCELLED', allowed: [] };
			throw eventsError('ILLEGAL_STATE_TRANSITION', { context });
		}
		const cancelled = await updateCompetition(transaction, stored.id, { status: 'CANCELLED' });
		const { principal, now } = call;
		const entries = await cancelStartsOfCompetition(transaction, stored, { by: principal.userId, now });
		const reason = { db: transaction, jobs: deps.jobs, principal, now };
		await tellOfCancelledCompetition(reason, event, { ...stored, entries });
		return cancelled;
	});
}

export function deleteCompetition(call: CompetitionCall, { db }: EventsDeps): Promise<Competition> {
	return inTransaction(db, async (transaction) => {
		const { stored } = await lockCompetition(transaction, call);
		if (await hasStarts(transaction, stored.id)) throw eventsError('COMPETITION_HAS_ENTRIES');
		await deleteRow(transaction, stored.id);
		return stored;
	});
}

/** Under the lock on the event; judges its entries again and promotes waiting ones to places that became free. */
async function change(
	{ read, isRestricted }: { readonly read: EventRow; readonly isRestricted: boolean },
	call: CompetitionCall,
	{ db, jobs, directory, freeWithdrawalMs }: EventsDeps,
	apply: (transaction: EventsQueryable, event: EventRow, stored: Competition) => Promise<Competition>,
): Promise<Competition> {
	const plan = { ruleset: read.ruleset, needsAgeClasses: isRestricted };
	const [blocked, rejudging] = await Promise.all([
		blockedEntries(db, read, directory, call),
		prepareRejudging(db, read, plan, { directory, call }),
	]);
	return inTransaction(db, async (transaction) => {
		const { event, stored } = await lockCompetition(transaction, call);
		const changed = await apply(transaction, event, stored);
		const { now, principal } = call;
		const move = moveOf(stored, changed, event, now);
		await rejudgeEntries(transaction, event, { now, rejudging, move });
		if (move !== undefined) {
			const moved = { from: stored, to: changed, freeUntil: move.freeUntil };
			await tellOfMovedCompetition({ db: transaction, jobs, principal, now }, event, moved);
		}
		await promoteWaiting(transaction, event, { now, blocked, freeWithdrawalMs, jobs });
		return { ...changed, ...(await entriesInDoubt(transaction, event, call)) };
	});
}

/** The competitions of an event that take place. Needs the lock on the event. */
async function openRows(db: EventsQueryable, eventId: string): Promise<Competition[]> {
	return (await competitionRows(db, eventId)).filter(({ status }) => status === 'OPEN');
}

function moveOf(before: Competition, after: Competition, event: EventRow, now: Date): Move | undefined {
	if (before.date === after.date) return undefined;
	const text = `${after.name} (no. ${after.number}) was moved from ${before.date} to ${after.date}.`;
	return { competitionIds: new Set([after.id]), text, freeUntil: freeAfterMove(event, now) };
}

/** Locks the event. @throws ApiError NOT_FOUND, OUT_OF_SCOPE, EVENT_CLOSED, PRECONDITION_FAILED */
async function lockCompetition(db: EventsQueryable, call: CompetitionCall) {
	const event = await lockManagedEvent(db, call);
	requireOpenForChange(event, call);
	const stored = await getCompetition(db, call.params);
	requireVersion(call.preconditions, stored.version);
	return { event, stored };
}

// The references were checked for the event as it was read; it may have changed since.
function requireUnmoved(event: EventRow, read: EventRow, call: Pick<RecordCall, 'principal' | 'now'>): void {
	requireOpenForChange(event, call);
	if (event.venueId !== read.venueId || event.ruleset !== read.ruleset) throw apiError('CONFLICT');
}

/** Age classes are looked up for the discipline that was wanted before the lock. @throws ApiError CONFLICT */
function requireCheckedClasses(body: CompetitionBody, stored: Competition, wanted: CompetitionBody): void {
	const isSame = (other: Pick<CompetitionBody, 'discipline' | 'ageClasses'>) =>
		body.discipline === other.discipline && isDeepStrictEqual(body.ageClasses, other.ageClasses);
	if (!isSame(stored) && !isSame(wanted)) throw apiError('CONFLICT');
}

/** Values that only the office changes after the publication; the organiser adds one that is missing. */
const announced = [
	'date',
	'discipline',
	'level',
	'kind',
	'heightCm',
	'distanceKm',
	'task',
	'startFee',
	'prizes',
	'championship',
] as const satisfies readonly (keyof CompetitionRow)[];

function requireCompetitionChangeable(
	event: EventRow,
	stored: CompetitionRow,
	changed: ClassifiedBody,
	principal: Principal,
): void {
	if (stored.status === 'CANCELLED') throw eventsError('COMPETITION_CLOSED');
	if (event.status !== 'PUBLISHED') return;
	requireOfficerFor(
		announced.filter((field) => stored[field] !== null && !isDeepStrictEqual(stored[field], changed[field])),
		principal,
	);
}
