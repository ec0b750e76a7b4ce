import { dayAfter, dayIn } from '@paddock/calendar';
import { inTransaction } from '@paddock/database';
import { isOfficer } from '@paddock/identity';
import { type RecordCall, requireVersion } from '@paddock/service';
import { competitionRows } from '../competitions/store.ts';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { cancelEntriesOfEvent } from '../entries/refunds.ts';
import { eventsError } from '../errors.ts';
import { getManagedEvent, lockManagedEvent } from './access.ts';
import { tellOfCancellation, tellOfPublication, tellOfReturn } from './event-mails.ts';
import { findingsAbout, missingDivisions, toWarning } from './findings.ts';
import {
	type Missing,
	missingReferences,
	type PublishedRows,
	referencesKey,
	requireReadiness,
} from './publish.ts';
import { requireStep } from './rules.ts';
import { type TakenStep, takeStep } from './store.ts';
import { getEvent } from './view.ts';
import type { ApprovalReturn, Cancellation, Event } from './view-schemas.ts';

export function submitEvent(call: RecordCall, deps: EventsDeps): Promise<Event> {
	const { submissionDays } = deps.approval;
	return readyStep(call, deps, async (event, transaction) => ({
		to: 'SUBMITTED',
		warnings: [
			...submissionWarnings(event, submissionDays, call.now),
			...findingsAbout(event, await competitionRows(transaction, event.id)).map(toWarning),
		],
	}));
}

export function returnEvent(call: RecordCall<ApprovalReturn>, deps: EventsDeps): Promise<Event> {
	const { remarks } = call.body;
	return step(call, deps, { to: 'RETURNED', reason: remarks }, (db, event) =>
		tellOfReturn({ db, jobs: deps.jobs, ...call }, event, remarks),
	);
}

export function recallEvent(call: RecordCall, deps: EventsDeps): Promise<Event> {
	return step(call, deps, { to: 'DRAFT' });
}

/** Publishes a draft, whether or not it was submitted. @throws ApiError, see the route; errors of peer calls. */
export async function publishEvent(call: RecordCall, deps: EventsDeps): Promise<Event> {
	await getManagedEvent(deps.db, call);
	if (deps.approval.isRequired && !isOfficer(call.principal)) throw eventsError('APPROVAL_REQUIRED');
	return readyStep(
		call,
		deps,
		async () => ({ to: 'PUBLISHED' }),
		(db, event) => tellOfPublication({ db, jobs: deps.jobs, ...call }, event),
	);
}

type Accompany = (transaction: EventsQueryable, event: EventRow) => Promise<unknown>;
type TakingStep = (event: EventRow, transaction: EventsQueryable) => Promise<TakenStep>;

async function readyStep(
	call: RecordCall,
	deps: EventsDeps,
	taken: TakingStep,
	accompany?: Accompany,
): Promise<Event> {
	const missingIn = await checkReferences(call, deps);
	return step(call, deps, taken, async (transaction, event) => {
		const competitions = await competitionRows(transaction, event.id);
		const references = [...missingIn({ event, competitions }), ...missingDivisions(event, competitions)];
		requireReadiness({ entryDeadline: event.entryDeadline, competitions, references }, call.now);
		await accompany?.(transaction, event);
	});
}

/** The periods of OeTO §24 differ by category and region, so that their length is a setting and the finding a warning. */
function submissionWarnings(
	{ startDate, venueTimeZone }: EventRow,
	submissionDays: number,
	now: Date,
): EventRow['approvalWarnings'] {
	const latest = dayAfter(startDate, -submissionDays);
	if (submissionDays === 0 || dayIn(venueTimeZone, now) <= latest) return [];
	const message = `The event was due for submission on ${latest}, ${submissionDays} days before its first day.`;
	return [{ code: 'SUBMITTED_LATE', message, rule: { source: 'OETO', paragraph: '24' } }];
}

export function cancelEvent(call: RecordCall<Cancellation>, deps: EventsDeps): Promise<Event> {
	const { statusReason: reason } = call.body;
	const { principal, now } = call;
	return step(call, deps, { to: 'CANCELLED', reason }, async (db, event) => {
		const entries = await cancelEntriesOfEvent(db, event.id, { by: principal.userId, now });
		const isKnown = event.status === 'PUBLISHED';
		if (isKnown)
			await tellOfCancellation({ db, jobs: deps.jobs, principal, now }, event, { reason, entries });
	});
}

export function completeEvent(call: RecordCall, deps: EventsDeps): Promise<Event> {
	return step(call, deps, { to: 'COMPLETED' });
}

/** `accompany` checks preconditions and applies further changes, in the same transaction. */
function step(
	call: RecordCall,
	{ db }: EventsDeps,
	taken: TakenStep | TakingStep,
	accompany?: Accompany,
): Promise<Event> {
	const { params, preconditions, now } = call;
	return inTransaction(db, async (transaction) => {
		const stored = await lockManagedEvent(transaction, call);
		requireVersion(preconditions, stored.version);
		const next = typeof taken === 'function' ? await taken(stored, transaction) : taken;
		requireStep(next.to, stored, now);
		await accompany?.(transaction, stored);
		await takeStep(transaction, params.id, { ...next, now });
		return getEvent(transaction, params.id, call);
	});
}

const referencesChanged: Missing = {
	code: 'REFERENCES_CHANGED',
	message: 'The event was changed during the publication; publish it again.',
};

/** Before the transaction, so that no row is locked during a call; resolves with what is missing for the published rows. */
async function checkReferences(
	call: RecordCall,
	{ db, directory }: EventsDeps,
): Promise<(rows: PublishedRows) => readonly Missing[]> {
	const event = await getManagedEvent(db, call);
	// The step is refused later for any other status.
	if (event.status !== 'DRAFT') return () => [];
	const seen = { event, competitions: await competitionRows(db, event.id) };
	const missing = await missingReferences(directory, seen, call);
	return (rows) => (referencesKey(rows) === referencesKey(seen) ? missing : [referencesChanged]);
}
