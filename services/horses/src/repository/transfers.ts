import type { Page } from '@paddock/contract';
import { listPage } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import { pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { HorsesQueryable } from '../database-schema.ts';
import type { OwnershipTransferRow } from '../ownership-tables.ts';
import type { Owner } from '../schemas/owner.ts';
import type {
	OwnershipTransfer,
	StoredTransferStatus,
	TransferQuery,
} from '../schemas/ownership-transfer.ts';

/** Filter of a list of transfers. */
export interface TransferScope {
	/** Undefined = all horses. */
	readonly horseId?: string;
	/** Only transfers of which the caller is a party; undefined = all. */
	readonly partyOf?: Principal | undefined;
}

interface Confirmation {
	readonly memberId: string;
	readonly confirmedAt: string | null;
}

type SelectedTransfer = OwnershipTransferRow & { readonly confirmations: readonly Confirmation[] };

const confirmations = sql<readonly Confirmation[]>`(
	select json_agg(json_build_object(
		'memberId', member_id,
		'confirmedAt', to_char(confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
	) order by member_id)
	from ownership_confirmations where transfer_id = ownership_transfers.id
)`.as('confirmations');

function selectTransfers(db: HorsesQueryable) {
	return db.selectFrom('ownership_transfers').selectAll('ownership_transfers').select(confirmations);
}

/** A transfer of that horse; undefined if not found. */
export async function findTransfer(
	db: HorsesQueryable,
	{ id, transferId }: { readonly id: string; readonly transferId: string },
	now: Date,
): Promise<OwnershipTransfer | undefined> {
	const row = await selectTransfers(db)
		.where('horse_id', '=', id)
		.where('id', '=', transferId)
		.executeTakeFirst();
	return row === undefined ? undefined : toTransfer(row, now);
}

/** Transfers, latest first. */
export function listTransfers(
	db: HorsesQueryable,
	{ horseId, partyOf }: TransferScope,
	query: TransferQuery,
	now: Date,
): Promise<Page<OwnershipTransfer>> {
	let select = selectTransfers(db);
	if (horseId !== undefined) select = select.where('horse_id', '=', horseId);
	if (partyOf !== undefined) select = select.where(isParty(partyOf));
	if (query.status !== undefined) select = select.where(shownStatus(now), '=', query.status);
	const ordered = select.orderBy('created_at', 'desc').orderBy('id');
	return listPage(ordered, pageRequest(query), (row) => toTransfer(row, now));
}

/** Condition: the caller requested the transfer, must confirm it or is a new owner. */
function isParty(principal: Principal): RawBuilder<boolean> {
	const { userId } = principal;
	const memberId = principal.memberId ?? null;
	const newOwner = JSON.stringify([{ memberId }]);
	return sql<boolean>`(
		requested_by = ${userId}
		or id in (select transfer_id from ownership_confirmations where member_id = ${memberId}::uuid)
		or (${memberId}::uuid is not null and owners @> ${newOwner}::jsonb)
	)`;
}

function shownStatus(now: Date): RawBuilder<StoredTransferStatus> {
	return sql`case when status = 'PENDING' and expires_at <= ${now} then 'EXPIRED' else status end`;
}

/** A request for a transfer. */
export interface NewTransfer {
	readonly horseId: string;
	readonly from: string;
	readonly owners: readonly Owner[];
	/** The current owners; the requester's confirmation is part of the request. */
	readonly confirmers: readonly string[];
	readonly expiresAt: Date;
}

/** Needs the lock on the horse's row, and no pending transfer. Returns the id. */
export async function insertTransferRequest(
	db: HorsesQueryable,
	{ horseId, from, owners, confirmers, expiresAt }: NewTransfer,
	{ userId, memberId }: Principal,
	now: Date,
): Promise<string> {
	const { id } = await db
		.insertInto('ownership_transfers')
		.values({
			horse_id: horseId,
			valid_from: from,
			owners: JSON.stringify(owners),
			status: 'PENDING',
			requested_by: userId,
			requested_by_member_id: memberId ?? null,
			expires_at: expiresAt,
			created_at: now,
			updated_at: now,
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	const rows = confirmers.map((member_id) => ({
		transfer_id: id,
		member_id,
		confirmed_at: member_id === memberId ? now : null,
	}));
	await db.insertInto('ownership_confirmations').values(rows).execute();
	return id;
}

/** The horse's pending transfer; an expired one is first stored as EXPIRED. Needs the lock on the horse's row. */
export async function findPendingTransferId(
	db: HorsesQueryable,
	horseId: string,
	now: Date,
): Promise<string | undefined> {
	await endPending(db, now, 'EXPIRED')
		.where('horse_id', '=', horseId)
		.where('expires_at', '<=', now)
		.execute();
	const row = await db
		.selectFrom('ownership_transfers')
		.select('id')
		.where('horse_id', '=', horseId)
		.where('status', '=', 'PENDING')
		.executeTakeFirst();
	return row?.id;
}

/** Needs the lock on the horse's row. Resolves with the number of confirmations still missing. */
export async function confirmFor(
	db: HorsesQueryable,
	transferId: string,
	memberId: string,
	now: Date,
): Promise<number> {
	await db
		.updateTable('ownership_confirmations')
		.set({ confirmed_at: now })
		.where('transfer_id', '=', transferId)
		.where('member_id', '=', memberId)
		.execute();
	await db
		.updateTable('ownership_transfers')
		.set({ updated_at: now, version: sql`version + 1` })
		.where('id', '=', transferId)
		.execute();
	const { missing } = await db
		.selectFrom('ownership_confirmations')
		.select(sql<number>`count(*)`.as('missing'))
		.where('transfer_id', '=', transferId)
		.where('confirmed_at', 'is', null)
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
		.set({ ended_by_member_id: memberId ?? null })
		.where('id', '=', transferId)
		.execute();
}

/** Ends transfers that were pending with the previous owners. Needs the lock on the horse's row. */
export async function lapsePendingTransfers(db: HorsesQueryable, horseId: string, now: Date): Promise<void> {
	await endPending(db, now, 'LAPSED').where('horse_id', '=', horseId).execute();
}

function endPending(db: HorsesQueryable, now: Date, status: StoredTransferStatus) {
	return db
		.updateTable('ownership_transfers')
		.set({ status, ended_at: now, updated_at: now, version: sql`version + 1` })
		.where('status', '=', 'PENDING');
}

function toTransfer(row: SelectedTransfer, now: Date): OwnershipTransfer {
	const isExpired = row.status === 'PENDING' && row.expires_at <= now;
	return {
		id: row.id,
		horseId: row.horse_id,
		from: row.valid_from,
		owners: [...row.owners],
		status: isExpired ? 'EXPIRED' : row.status,
		requestedBy: row.requested_by,
		requestedByMemberId: row.requested_by_member_id,
		confirmations: [...row.confirmations],
		expiresAt: row.expires_at.toISOString(),
		endedAt: (isExpired ? row.expires_at : row.ended_at)?.toISOString() ?? null,
		endedByMemberId: row.ended_by_member_id,
		createdAt: row.created_at.toISOString(),
		updatedAt: row.updated_at.toISOString(),
		version: row.version,
	};
}
