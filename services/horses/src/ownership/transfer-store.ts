import type { Page } from '@paddock/contract';
import { anyOf, changedAt, isOneOf, listPage, recentSince } from '@paddock/database';
import { actingMember, actsFor, membersActedFor, type Principal } from '@paddock/identity';
import { pageRequest, withInstants } from '@paddock/service';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { HorsesQueryable, HorsesSchema } from '../database-schema.ts';
import type { FindingScope } from '../horses/number-store.ts';
import { inNameOrNumber } from '../horses/searched-texts.ts';
import type { Owner } from './owner-schemas.ts';
import type { OwnershipTransfer, TransferIds, TransferQuery } from './transfer-schemas.ts';

interface TransferScope {
	readonly horseId?: string;
	/** Only transfers of which the caller is a party; undefined = all. */
	readonly partyOf?: Principal | undefined;
	/** The numbers by which the caller finds horses. */
	readonly scope: FindingScope;
}

type Confirmations = OwnershipTransfer['confirmations'];

type SelectedTransfer = Selectable<HorsesSchema['ownershipTransfers']> & { confirmations: Confirmations };

const confirmations = sql<Confirmations>`(
	select json_agg(json_build_object(
		'memberId', member_id,
		'confirmedAt', to_char(confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
	) order by member_id)
	from ownership_confirmations where transfer_id = ownership_transfers.id
)`.as('confirmations');

function selectTransfers(db: HorsesQueryable) {
	return db.selectFrom('ownershipTransfers').selectAll('ownershipTransfers').select(confirmations);
}

export async function findTransfer(
	db: HorsesQueryable,
	{ id, transferId }: TransferIds,
	now: Date,
): Promise<OwnershipTransfer | undefined> {
	const row = await selectTransfers(db)
		.where('horseId', '=', id)
		.where('id', '=', transferId)
		.executeTakeFirst();
	return row === undefined ? undefined : toTransfer(row, now);
}

/** Ownership changes seldom: those of years are few ten thousands, and their indexes have what the list filters by. */
const sortedMax = 2_000;

export async function listTransfers(
	db: HorsesQueryable,
	{ horseId, partyOf, scope }: TransferScope,
	query: TransferQuery,
	now: Date,
): Promise<Page<OwnershipTransfer>> {
	let select = db.selectFrom('ownershipTransfers');
	if (horseId !== undefined) select = select.where('horseId', '=', horseId);
	if (partyOf !== undefined) select = select.where(isParty(partyOf));
	if (query.status !== undefined)
		select = select.where(anyOf(query.status.map((status) => hasStatus(status, now))));
	if (query.updatedSince !== undefined)
		select = select.where(await changedSince(db, new Date(query.updatedSince), now));
	if (query.q !== undefined) select = select.where(horseMatches(query.q, scope));
	return listPage(db, select, {
		request: pageRequest(query),
		sort: query.sort,
		order: { defaultSort: ['-createdAt'], indexed: ['createdAt', 'updatedAt'] },
		isSearch: query.q !== undefined,
		sortedMax,
		since: recentSince(query),
		find: async (ids) => {
			const rows = await selectTransfers(db).where(isOneOf('id', ids)).execute();
			return rows.map((row) => toTransfer(row, now));
		},
	});
}

function isParty(principal: Principal): RawBuilder<boolean> {
	const { userId } = principal;
	const memberIds = [...membersActedFor(principal)];
	// Each condition is served by an index, which all need for the others to be used: an array, since a subquery is compared with each
	// row, and one condition for each member, since an index on JSON serves no array.
	const isNewOwner = memberIds.map(
		(memberId) => sql<boolean>`owners @> ${JSON.stringify([{ memberId }])}::jsonb`,
	);
	return sql<boolean>`(${sql.join(
		[
			sql<boolean>`requested_by = ${userId}`,
			sql<boolean>`id = any (array(select transfer_id from ownership_confirmations where member_id = any (${memberIds}::uuid[])))`,
			...isNewOwner,
		],
		sql` or `,
	)})`;
}

/** Names and numbers of the horse. */
const transferText = { names: 'searchText', numbers: 'searchText' };

function horseMatches(typed: string, scope: FindingScope): RawBuilder<boolean> {
	if (scope.withIdentifiers) return inNameOrNumber(typed, scope, transferText);
	return sql<boolean>`horse_id in (select horses.id from horses where ${inNameOrNumber(typed, scope)})`;
}

/** Expired transfers that are not written yet are named by ids: an `or` on `expires_at` would keep the index from bounding the list. */
async function changedSince(db: HorsesQueryable, since: Date, now: Date): Promise<RawBuilder<boolean>> {
	const expired = await db
		.selectFrom('ownershipTransfers')
		.select('id')
		.where('status', '=', 'PENDING')
		.where('expiresAt', '>=', since)
		.where('expiresAt', '<=', now)
		.execute();
	const isWritten = sql<boolean>`updated_at >= ${since}`;
	if (expired.length === 0) return isWritten;
	return sql<boolean>`(${isWritten} or id = any (${expired.map(({ id }) => id)}::uuid[]))`;
}

const expiredAtOnce = 500;
/** A confirmation that came in time may not be committed yet; it holds the lock of the horse. */
const lateMs = 60_000;

/** As `toTransfer` shows them, so that lists of changes are read along their index. Locked ones are left to the next run. */
export async function endExpiredTransfers(db: HorsesQueryable, now: Date): Promise<void> {
	const before = new Date(now.getTime() - lateMs);
	let written = expiredAtOnce;
	while (written === expiredAtOnce) {
		const { rows } = await sql`
			with expired as (
				select id from ownership_transfers where status = 'PENDING' and expires_at <= ${before}
				order by expires_at limit ${sql.lit(expiredAtOnce)} for no key update skip locked
			)
			update ownership_transfers set ${expiry}
			from expired where ownership_transfers.id = expired.id returning expired.id`.execute(db);
		written = rows.length;
	}
}

const expiry = sql`status = 'EXPIRED', ended_at = expires_at,
	updated_at = greatest(updated_at, expires_at), version = version + 1`;

/** Condition: the transfer has that status at `now`, in a form that can use an index. */
function hasStatus(status: OwnershipTransfer['status'], now: Date): RawBuilder<boolean> {
	if (status === 'PENDING') return sql`(status = 'PENDING' and expires_at > ${now})`;
	if (status === 'EXPIRED') return sql`(status = 'EXPIRED' or (status = 'PENDING' and expires_at <= ${now}))`;
	return sql`status = ${status}`;
}

interface NewTransfer {
	readonly horseId: string;
	readonly from: string;
	readonly owners: readonly Owner[];
	readonly confirmers: readonly string[];
	readonly expiresAt: Date;
}

/** Needs the lock on the horse's row, and no pending transfer. Returns the id. */
export async function insertTransferRequest(
	db: HorsesQueryable,
	{ horseId, from, owners, confirmers, expiresAt }: NewTransfer,
	principal: Principal,
	now: Date,
): Promise<string> {
	const { id: transferId } = await db
		.insertInto('ownershipTransfers')
		.values({
			horseId: horseId,
			validFrom: from,
			owners: JSON.stringify(owners),
			status: 'PENDING',
			requestedBy: principal.userId,
			requestedByMemberId: actingMember(principal, confirmers) ?? null,
			expiresAt: expiresAt,
			createdAt: now,
			updatedAt: now,
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	const rows = confirmers.map((confirmer) => ({
		transferId,
		memberId: confirmer,
		confirmedAt: actsFor(principal, confirmer) ? now : null,
	}));
	await db.insertInto('ownershipConfirmations').values(rows).execute();
	return transferId;
}

/** The horse's pending transfer; an expired one is first stored as EXPIRED. Needs the lock on the horse's row. */
export async function findPendingTransferId(
	db: HorsesQueryable,
	horseId: string,
	now: Date,
): Promise<string | undefined> {
	await sql`update ownership_transfers set ${expiry}
		where horse_id = ${horseId} and status = 'PENDING' and expires_at <= ${now}`.execute(db);
	const row = await db
		.selectFrom('ownershipTransfers')
		.select('id')
		.where('horseId', '=', horseId)
		.where('status', '=', 'PENDING')
		.executeTakeFirst();
	return row?.id;
}

/** Needs the lock on the horse's row. Resolves with the number of confirmations still missing. */
export async function confirmFor(
	db: HorsesQueryable,
	transferId: string,
	memberIds: readonly string[],
	now: Date,
): Promise<number> {
	await db
		.updateTable('ownershipConfirmations')
		.set({ confirmedAt: now })
		.where('transferId', '=', transferId)
		.where('memberId', 'in', memberIds)
		.where('confirmedAt', 'is', null)
		.execute();
	await db.updateTable('ownershipTransfers').set(changedAt(now)).where('id', '=', transferId).execute();
	const { missing } = await db
		.selectFrom('ownershipConfirmations')
		.select(sql<number>`count(*)`.as('missing'))
		.where('transferId', '=', transferId)
		.where('confirmedAt', 'is', null)
		.executeTakeFirstOrThrow();
	return missing;
}

/** Hold the horse's row. */
export async function endTransfer(
	db: HorsesQueryable,
	transferId: string,
	status: 'COMPLETED' | 'DECLINED',
	{ memberId, now }: { readonly memberId: string | undefined; readonly now: Date },
): Promise<void> {
	await endPending(db, now, status)
		.set({ endedByMemberId: memberId ?? null })
		.where('id', '=', transferId)
		.execute();
}

/** Ends transfers that were pending with the previous owners. Needs the lock on the horse's row. */
export async function lapsePendingTransfers(db: HorsesQueryable, horseId: string, now: Date): Promise<void> {
	await endPending(db, now, 'LAPSED').where('horseId', '=', horseId).execute();
}

function endPending(db: HorsesQueryable, now: Date, status: OwnershipTransfer['status']) {
	return db
		.updateTable('ownershipTransfers')
		.set({ status, endedAt: now, ...changedAt(now) })
		.where('status', '=', 'PENDING');
}

function toTransfer({ validFrom: from, searchText, ...row }: SelectedTransfer, now: Date): OwnershipTransfer {
	if (row.status !== 'PENDING' || row.expiresAt > now) return { ...withInstants(row), from };
	// As `endExpiredTransfers` writes it.
	const { expiresAt, version } = row;
	const updatedAt = new Date(Math.max(row.updatedAt.getTime(), expiresAt.getTime()));
	return {
		...withInstants({ ...row, endedAt: expiresAt, updatedAt }),
		from,
		status: 'EXPIRED',
		version: version + 1,
	};
}
