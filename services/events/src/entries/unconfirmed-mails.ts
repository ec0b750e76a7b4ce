import { randomUUID } from 'node:crypto';
import { isUnsent, sendReminders } from '@paddock/context';
import { asSystem } from '@paddock/database';
import type { MailDeclaration, MailRecipient } from '@paddock/mail';
import { continueTrace, traceparentOf } from '@paddock/telemetry';
import { sql } from 'kysely';
import type { EntryRow, EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import type { Directory } from '../peers/directory.ts';
import { judgedBy } from './entry-check.ts';
import { partiesOfEntries } from './entry-mails.ts';
import { entriesExpired, entryExpiring } from './entry-texts.ts';
import {
	type Expiry,
	type MailJobs,
	missingParties,
	type ToldEntry,
	tell,
	withAbout,
} from './new-entry-texts.ts';
import { horseParties, riderParties } from './rights/sides.ts';

interface ReminderDeps extends Pick<EventsDeps, 'db'> {
	readonly directory: Pick<Directory, 'members' | 'horses'>;
	readonly jobs: NonNullable<MailJobs>;
	readonly now: Date;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Timeout of the calls to other services for one batch. */
const peersMs = 10_000;

interface UnconfirmedEntry
	extends ToldEntry,
		Pick<EntryRow, 'eventId' | 'isHorseConfirmed' | 'horseClubId' | 'horseId' | 'enteredBy'>,
		Pick<EventRow, 'venueTimeZone'> {
	readonly id: string;
	readonly dueAt: Date;
	readonly eventName: string;
}

/** Reminds the sides whose confirmation is missing a day before the entries expire. */
export function remindOfConfirmations(deps: ReminderDeps): Promise<void> {
	const { now } = deps;
	return tellOfUnconfirmed(deps, entryExpiring, { fromMs: 0, toMs: dayMs }, (entry) =>
		missingParties(entry, now).map((recipient) =>
			'clubId' in recipient ? recipient : withAbout(recipient, entry, now),
		),
	);
}

/**
 * Notifies all parties, and the accounts that made the entries, of entries that have expired. A confirmation that came in time may not be
 * committed yet.
 */
export function tellOfExpiry(deps: ReminderDeps): Promise<void> {
	return tellOfUnconfirmed(deps, entriesExpired, { fromMs: -2 * dayMs, toMs: -minuteMs }, (entry) => [
		...partiesOfEntries([entry], deps.now),
		withAbout({ userId: entry.enteredBy }, entry, deps.now),
	]);
}

interface Period {
	readonly fromMs: number;
	readonly toMs: number;
}

/** One mail for an event, to the parties of today, of entries whose confirmation is or was due in that period. */
function tellOfUnconfirmed(
	{ db, jobs, now, directory }: ReminderDeps,
	mail: MailDeclaration<Expiry & { readonly eventName: string }>,
	period: Period,
	recipientsOf: (entry: UnconfirmedEntry) => readonly MailRecipient[],
): Promise<void> {
	const kind = mail.name;
	return sendReminders(db, now, {
		kind,
		find: (read: EventsQueryable, limit) => findUnconfirmed(read, { kind, now, ...period, limit }),
		complete: (due) => withPresentParties(due, directory),
		send: async (transaction, due) => {
			await asSystem(transaction, () => storeDaysOfAge(transaction, due));
			for (const entries of Map.groupBy(due, ({ eventId }) => eventId).values()) {
				const [first] = entries;
				if (first === undefined) continue;
				const { eventName, dueAt: until, venueTimeZone: timeZone } = first;
				const recipients = entries.flatMap(recipientsOf);
				await tell({ db: transaction, jobs, now }, mail, { eventName, until, timeZone }, recipients);
			}
		},
	});
}

/** Guardian and owners may have changed since the day of entry. @throws ApiError if members or horses do not respond */
async function withPresentParties(
	due: readonly UnconfirmedEntry[],
	directory: ReminderDeps['directory'],
): Promise<(entry: UnconfirmedEntry) => UnconfirmedEntry> {
	const context = {
		requestId: randomUUID(),
		signal: AbortSignal.timeout(peersMs),
		traceparent: traceparentOf(continueTrace(undefined)),
	};
	const [members, horses] = await Promise.all([
		directory.members([...new Set(due.map(({ riderMemberId }) => riderMemberId))], context),
		directory.horses([...new Set(due.map(({ horseId }) => horseId))], context),
	]);
	return (entry) => {
		const [rider, horse] = [members.get(entry.riderMemberId), horses.get(entry.horseId)];
		const { riderGuardianId } = riderParties(entry.riderMemberId, rider);
		const known = rider && horse && { judgedBy: judgedBy(rider, horse) };
		const { horseKeeperIds, horseClubId } = horseParties(horse);
		return { ...entry, ...known, riderGuardianId, horseKeeperIds: [...horseKeeperIds], horseClubId };
	};
}

/** The date of birth may have been corrected since the day of entry. */
async function storeDaysOfAge(db: EventsQueryable, due: readonly UnconfirmedEntry[]): Promise<void> {
	await sql`
		update entries set judged_by = jsonb_set(judged_by, '{riderOfAgeAt}', to_jsonb(present.of_age_at))
		from unnest(
			${due.map(({ id }) => id)}::uuid[], ${due.map((entry) => entry.judgedBy?.riderOfAgeAt ?? null)}::text[]
		) as present (id, of_age_at)
		where entries.id = present.id and judged_by ->> 'riderOfAgeAt' <> of_age_at`.execute(db);
}

async function findUnconfirmed(
	db: EventsQueryable,
	{ kind, now, fromMs, toMs, limit }: Period & { kind: string; now: Date; limit: number },
): Promise<readonly UnconfirmedEntry[]> {
	const [after, until] = [fromMs, toMs].map((ms) => new Date(now.getTime() + ms));
	// The last moment for the confirmation, see `isTooLateToConfirm`.
	const dueAt = sql`least(entry_deadline, starts_at)`;
	const { rows } = await sql<UnconfirmedEntry>`
		select entries.id, event_id as "eventId", ${dueAt} as "dueAt", events.name as "eventName",
			venue_time_zone as "venueTimeZone", entry_number as "entryNumber", rider_name as "riderName",
			horse_name as "horseName", rider_member_id as "riderMemberId", rider_guardian_id as "riderGuardianId",
			horse_id as "horseId", horse_keeper_ids::text[] as "horseKeeperIds", horse_club_id as "horseClubId",
			is_confirmed as "isConfirmed", is_horse_confirmed as "isHorseConfirmed", judged_by as "judgedBy",
			entered_by as "enteredBy"
		from events join entries on entries.event_id = events.id
		where events.status = 'PUBLISHED' and ends_at > ${after} and entries.status = 'PENDING_CONFIRMATION'
			and (
				(coalesce(entry_deadline, 'infinity') > ${after} and coalesce(entry_deadline, 'infinity') <= ${until})
				or (starts_at > ${after} and starts_at <= ${until})
			)
			and ${dueAt} > ${after}
			and ${isUnsent(kind, sql`entries.id`, dueAt)}
		order by event_id, entries.id limit ${limit}`.execute(db.withoutPlugins());
	return rows;
}
