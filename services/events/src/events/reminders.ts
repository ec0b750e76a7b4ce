import { dayAfter, dayInVienna } from '@paddock/calendar';
import { deleteSentReminders, isUnsent, sendReminders } from '@paddock/context';
import type { MailDeclaration } from '@paddock/mail';
import { type RawBuilder, sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { type MailJobs, tell } from '../entries/new-entry-texts.ts';
import { remindOfConfirmations, tellOfExpiry } from '../entries/unconfirmed-mails.ts';
import type { Directory } from '../peers/directory.ts';
import { managersOf } from './event-mails.ts';
import { completionMissing, deadlinePassed, deadlineTomorrow, submissionDue } from './reminder-texts.ts';

interface ReminderDeps extends Pick<EventsDeps, 'db' | 'approval'> {
	readonly directory: Pick<Directory, 'members' | 'horses'>;
	readonly jobs: NonNullable<MailJobs>;
	readonly now: Date;
}

const dayMs = 86_400_000;
/** Later no reminder is sent, e.g. by the first run after an upgrade. */
const lateMs = 2 * dayMs;
const submissionNoticeDays = 7;

/** Sends the reminders that are due, each once. Each query reads events of a few days by an index. */
export async function sendDueReminders(deps: ReminderDeps): Promise<void> {
	const { db, now, approval } = deps;
	const within = (column: RawBuilder<unknown>, fromMs: number, toMs: number) =>
		sql<boolean>`${column} > ${new Date(now.getTime() + fromMs)} and ${column} <= ${new Date(now.getTime() + toMs)}`;
	const deadline = sql`coalesce(entry_deadline, 'infinity')`;
	const endsAt = sql`ends_at`;
	const kinds = [
		() => remindOfConfirmations(deps),
		() => tellOfExpiry(deps),
		() =>
			remindManagers(deps, deadlineTomorrow, {
				dueAt: deadline,
				isDue: sql`status = 'PUBLISHED' and ${within(deadline, 0, dayMs)}`,
				dataOf: (event) => ({ ...factsOf(event), ...deadlineOf(event), ...countsOf(event) }),
			}),
		() =>
			remindManagers(deps, deadlinePassed, {
				dueAt: deadline,
				isDue: sql`status = 'PUBLISHED' and ${within(deadline, -lateMs, 0)}`,
				dataOf: (event) => ({ ...factsOf(event), ...countsOf(event) }),
			}),
		() =>
			remindManagers(deps, completionMissing, {
				dueAt: endsAt,
				isDue: sql`status = 'PUBLISHED' and ${within(endsAt, -dayMs - lateMs, -dayMs)}`,
				dataOf: factsOf,
			}),
	];
	if (approval.isRequired && approval.submissionDays > 0)
		kinds.push(() => remindOfSubmission(deps, approval.submissionDays));
	kinds.push(() => deleteSentReminders(db, now));
	const failures: unknown[] = [];
	// One that fails must not keep the others from being sent.
	for (const send of kinds) await send().catch((error: unknown) => failures.push(error));
	if (failures.length > 0) throw new AggregateError(failures, 'some reminders were not sent');
}

function remindOfSubmission(deps: ReminderDeps, submissionDays: number): Promise<void> {
	const today = dayInVienna(deps.now);
	return remindManagers(deps, submissionDue, {
		dueAt: sql`starts_at`,
		isDue: sql`status = 'DRAFT' and approval is distinct from 'SUBMITTED'
			and start_date >= ${dayAfter(today, submissionDays)}::date
			and start_date <= ${dayAfter(today, submissionDays + submissionNoticeDays)}::date`,
		dataOf: (event) => ({ ...factsOf(event), dueDay: dayAfter(event.startDate, -submissionDays) }),
	});
}

interface DueEvent
	extends Pick<EventRow, 'name' | 'startDate' | 'organiserClubId' | 'venueTimeZone' | 'entryDeadline'> {
	readonly id: string;
	readonly dueAt: Date;
	readonly accepted: number;
	readonly waitlisted: number;
	readonly unconfirmed: number;
}

const factsOf = ({ name, startDate }: DueEvent) => ({ eventName: name, startDate });

const deadlineOf = ({ entryDeadline, venueTimeZone: timeZone, dueAt }: DueEvent) => ({
	until: entryDeadline ?? dueAt,
	timeZone,
});

const countsOf = ({ accepted, waitlisted, unconfirmed }: DueEvent) => ({
	accepted: String(accepted),
	waitlisted: String(waitlisted),
	unconfirmed: String(unconfirmed),
});

interface Due<Data> {
	/** A column of `events`: with another value the reminder is another one. */
	readonly dueAt: RawBuilder<unknown>;
	readonly isDue: RawBuilder<unknown>;
	readonly dataOf: (event: DueEvent) => Data;
}

function remindManagers<Data extends object>(
	{ db, jobs, now }: ReminderDeps,
	mail: MailDeclaration<Data>,
	{ dueAt, isDue, dataOf }: Due<Data>,
): Promise<void> {
	const kind = mail.name;
	return sendReminders(db, now, {
		kind,
		find: (read: EventsQueryable, limit) => findEvents(read, { kind, dueAt, isDue, limit }),
		send: async (transaction, due) => {
			for (const event of due)
				await tell({ db: transaction, jobs, now }, mail, dataOf(event), [managersOf(event)]);
		},
	});
}

async function findEvents(
	db: EventsQueryable,
	{
		kind,
		dueAt,
		isDue,
		limit,
	}: { readonly kind: string; readonly limit: number } & Omit<Due<never>, 'dataOf'>,
): Promise<readonly DueEvent[]> {
	const { rows } = await sql<DueEvent>`
		select due.*, counts.* from (
			select id, name, start_date::text as "startDate", organiser_club_id as "organiserClubId",
				venue_time_zone as "venueTimeZone", entry_deadline as "entryDeadline", ${dueAt} as "dueAt"
			from events where ${isDue} and ${isUnsent(kind, sql`events.id`, dueAt)}
			order by ${dueAt}, id limit ${limit}
		) as due, lateral (
			select count(*) filter (where status = 'ACCEPTED')::integer as accepted,
				count(*) filter (where status = 'WAITLISTED')::integer as waitlisted,
				count(*) filter (where status = 'PENDING_CONFIRMATION')::integer as unconfirmed
			from entries where event_id = due.id
		) as counts`.execute(db.withoutPlugins());
	return rows;
}
