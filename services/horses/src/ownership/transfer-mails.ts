import { deleteSentReminders, isUnsent, requestMail, sendReminders } from '@paddock/context';
import type { Database } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import type { Jobs } from '@paddock/jobs';
import type { MailDeclaration, MailRecipient } from '@paddock/mail';
import { sql } from 'kysely';
import type { HorsesQueryable, HorsesSchema } from '../database-schema.ts';
import type { Horse } from '../horses/schemas.ts';
import type { Owner } from './owner-schemas.ts';
import {
	transferCompleted,
	transferConfirmationWanted,
	transferDeclined,
	transferExpired,
	transferExpiring,
} from './transfer-texts.ts';

/** Undefined in a deployment without auth, which sends the mails. */
export type MailJobs = Pick<Jobs<HorsesSchema>, 'enqueueAll'> | undefined;

interface Reason {
	readonly db: HorsesQueryable;
	readonly jobs: MailJobs;
	/** Undefined: the service itself. */
	readonly principal?: Pick<Principal, 'userId'>;
}

async function tell<Data extends object>(
	{ db: transaction, jobs, principal }: Reason,
	mail: MailDeclaration<Data>,
	data: Data,
	recipients: readonly MailRecipient[],
): Promise<void> {
	if (jobs !== undefined)
		await requestMail({ jobs, transaction }, mail, { data, recipients, exceptUserId: principal?.userId });
}

const members = (ids: readonly (string | null)[]): MailRecipient[] =>
	[...new Set(ids)].flatMap((memberId) => (memberId === null ? [] : [{ memberId }]));

const owningMembers = (owners: readonly Pick<Owner, 'memberId'>[]) => owners.map(({ memberId }) => memberId);

interface Wanted {
	readonly horse: Pick<Horse, 'name'>;
	readonly from: string;
	readonly expiresAt: Date;
	readonly confirmers: readonly string[];
}

export function tellConfirmationWanted(
	reason: Reason,
	{ horse: { name: horseName }, from, expiresAt, confirmers }: Wanted,
): Promise<void> {
	return tell(reason, transferConfirmationWanted, { horseName, from, expiresAt }, members(confirmers));
}

/** `horse` with the former owners. */
export function tellCompleted(
	reason: Reason,
	horse: Pick<Horse, 'name' | 'owners'>,
	{ from, owners }: { readonly from: string; readonly owners: readonly Owner[] },
): Promise<void> {
	const recipients = members([...owningMembers(horse.owners), ...owningMembers(owners)]);
	return tell(reason, transferCompleted, { horseName: horse.name, from }, recipients);
}

interface Parties {
	readonly from: string;
	readonly owners: readonly Pick<Owner, 'memberId'>[];
	readonly confirmations: readonly { readonly memberId: string }[];
	readonly requestedBy: string;
}

export function tellDeclined(
	reason: Reason,
	{ name }: Pick<Horse, 'name'>,
	transfer: Parties,
): Promise<void> {
	return tell(reason, transferDeclined, { horseName: name, from: transfer.from }, partiesOf(transfer));
}

function partiesOf({ confirmations, owners, requestedBy }: Parties): readonly MailRecipient[] {
	const confirmers = confirmations.map(({ memberId }) => memberId);
	return [...members([...confirmers, ...owningMembers(owners)]), { userId: requestedBy }];
}

interface ReminderDeps {
	readonly db: Database<HorsesSchema>;
	readonly jobs: NonNullable<MailJobs>;
	readonly now: Date;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Reminds of transfers that expire within a day, and tells of those that have expired. */
export async function remindOfTransfers({ db, jobs, now }: ReminderDeps): Promise<void> {
	const later = (ms: number) => new Date(now.getTime() + ms);
	await sendReminders(db, now, {
		kind: 'TRANSFER_EXPIRING',
		find: (read, limit) => findEnding(read, 'TRANSFER_EXPIRING', [now, later(dayMs)], limit),
		send: async (transaction, due) => {
			for (const { dueAt: expiresAt, horseName, from, missing } of due)
				await tell(
					{ db: transaction, jobs },
					transferExpiring,
					{ horseName, from, expiresAt },
					members(missing),
				);
		},
	});
	await sendReminders(db, now, {
		kind: 'TRANSFER_EXPIRED',
		// A confirmation that came in time may not be committed yet.
		find: (read, limit) => findEnding(read, 'TRANSFER_EXPIRED', [later(-2 * dayMs), later(-minuteMs)], limit),
		send: async (transaction, due) => {
			for (const { dueAt: expiresAt, horseName, ...transfer } of due)
				await tell(
					{ db: transaction, jobs },
					transferExpired,
					{ horseName, from: transfer.from, expiresAt },
					partiesOf(transfer),
				);
		},
	});
	await deleteSentReminders(db, now);
}

interface EndingTransfer extends Parties {
	readonly id: string;
	readonly dueAt: Date;
	readonly horseName: string;
	/** Owners who have not confirmed it. */
	readonly missing: readonly string[];
}

/** Transfers that expire, or have expired, in that period, and of which no such mail was sent. */
async function findEnding(
	db: HorsesQueryable,
	kind: string,
	[after, until]: readonly [Date, Date],
	limit: number,
): Promise<readonly EndingTransfer[]> {
	const { rows } = await sql<EndingTransfer>`
		select transfers.id, expires_at as "dueAt", horses.name as "horseName", valid_from::text as "from", owners,
			requested_by as "requestedBy",
			(select json_agg(json_build_object('memberId', member_id) order by member_id)
				from ownership_confirmations where transfer_id = transfers.id) as confirmations,
			array(select member_id::text from ownership_confirmations
				where transfer_id = transfers.id and confirmed_at is null order by member_id) as missing
		from ownership_transfers as transfers join horses on horses.id = horse_id
		where transfers.status in ('PENDING', 'EXPIRED') and expires_at > ${after} and expires_at <= ${until}
			and horses.status <> 'INACTIVE'
			and ${isUnsent(kind, sql`transfers.id`, sql`expires_at`)}
		order by expires_at, transfers.id
		limit ${limit}`.execute(db.withoutPlugins());
	return rows;
}
