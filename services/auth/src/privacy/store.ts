import { refusals, refusing } from '@paddock/database';
import type { AuthQueryable, PersonRequestRow } from '../database-schema.ts';
import { authError } from '../errors.ts';

const taken = refusals(authError, { person_requests_open: 'REQUEST_PENDING' });

/** The columns without the document, which may be large. */
const columns = [
	'id',
	'userId',
	'kind',
	'status',
	'memberId',
	'dueAt',
	'finishedAt',
	'expiresAt',
	'report',
	'createdAt',
	'updatedAt',
] as const;

export type PersonRequest = Readonly<Pick<PersonRequestRow, (typeof columns)[number]>>;

/** @throws ApiError REQUEST_PENDING */
export function insertRequest(
	transaction: AuthQueryable,
	request: Pick<PersonRequestRow, 'userId' | 'kind' | 'dueAt'>,
	now: Date,
): Promise<PersonRequest> {
	const inserted = transaction
		.insertInto('personRequests')
		.values({ ...request, status: 'REQUESTED', createdAt: now, updatedAt: now })
		.returning(columns)
		.executeTakeFirstOrThrow();
	return refusing(taken, inserted);
}

export function findRequest(db: AuthQueryable, id: string): Promise<PersonRequest | undefined> {
	return db.selectFrom('personRequests').select(columns).where('id', '=', id).executeTakeFirst();
}

export function lockRequest(transaction: AuthQueryable, id: string): Promise<PersonRequest | undefined> {
	return transaction
		.selectFrom('personRequests')
		.select(columns)
		.where('id', '=', id)
		.forUpdate()
		.executeTakeFirst();
}

export function findLatest(
	db: AuthQueryable,
	userId: string,
	kind: PersonRequestRow['kind'],
): Promise<PersonRequest | undefined> {
	return db
		.selectFrom('personRequests')
		.select(columns)
		.where('userId', '=', userId)
		.where('kind', '=', kind)
		.orderBy('createdAt', 'desc')
		.limit(1)
		.executeTakeFirst();
}

/** Whether the erasure of the account has begun or is complete. */
export async function isErased(db: AuthQueryable, userId: string): Promise<boolean> {
	const row = await db
		.selectFrom('personRequests')
		.select('id')
		.where('userId', '=', userId)
		.where('kind', '=', 'ERASURE')
		.where('status', 'in', ['STARTED', 'DONE'])
		.executeTakeFirst();
	return row !== undefined;
}

export function changeRequest(
	transaction: AuthQueryable,
	{ id }: Pick<PersonRequest, 'id'>,
	changes: Partial<
		Pick<PersonRequestRow, 'status' | 'memberId' | 'finishedAt' | 'expiresAt' | 'document' | 'report'>
	>,
	now: Date,
): Promise<PersonRequest> {
	return transaction
		.updateTable('personRequests')
		.set({ ...changes, updatedAt: now })
		.where('id', '=', id)
		.returning(columns)
		.executeTakeFirstOrThrow();
}

/** The document of an export that has not expired. */
export async function findDocument(db: AuthQueryable, id: string, now: Date): Promise<unknown> {
	const row = await db
		.selectFrom('personRequests')
		.select('document')
		.where('id', '=', id)
		.where('expiresAt', '>', now)
		.executeTakeFirst();
	return row?.document ?? undefined;
}

/** Removes the data of exports that have expired. */
export async function deleteExpiredExports(db: AuthQueryable, now: Date): Promise<void> {
	await db
		.updateTable('personRequests')
		.set({ document: null })
		.where('document', 'is not', null)
		.where('expiresAt', '<=', now)
		.execute();
}
