import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import type { SecretBox } from '../encryption/secret-box.ts';
import { recoveryCodeHash } from './recovery-codes.ts';

export interface Totp {
	readonly id: string;
	readonly secret: string;
	/** The step of the last accepted code; 0 before the first. */
	readonly lastStep: number;
}

/** An enrolled factor as its owner sees it. */
export interface SecondFactor {
	readonly id: string;
	readonly kind: 'TOTP' | 'PASSKEY';
	readonly name: string;
	readonly createdAt: Date;
	readonly lastUsedAt: Date | null;
}

/** The enrolled factors, oldest first. */
export async function listSecondFactors(db: AuthQueryable, userId: string): Promise<SecondFactor[]> {
	const { rows } = await sql<SecondFactor>`
		select id, 'TOTP' as kind, 'Authenticator app' as name, confirmed_at as created_at, last_used_at
		from totp_authenticators where user_id = ${userId} and confirmed_at is not null
		union all
		select id, 'PASSKEY', name, created_at, last_used_at from passkeys where user_id = ${userId}
		order by created_at, id`.execute(db);
	return rows;
}

export async function hasSecondFactor(db: AuthQueryable, userId: string): Promise<boolean> {
	return (await listSecondFactors(db, userId)).length > 0;
}

const owner = (id: string) => `totp_authenticators/${id}`;

/** The enrolled authenticator app, or the one whose enrolment awaits its first code. */
export async function findTotp(
	db: AuthQueryable,
	secrets: SecretBox,
	userId: string,
	state: 'enrolled' | 'pending',
): Promise<Totp | undefined> {
	const row = await db
		.selectFrom('totpAuthenticators')
		.select(['id', 'secret', 'lastStep'])
		.where('userId', '=', userId)
		.where('confirmedAt', state === 'enrolled' ? 'is not' : 'is', null)
		.executeTakeFirst();
	return row && { ...row, secret: secrets.open(row.secret, owner(row.id)) };
}

/** Begins an enrolment, in place of one that was not completed. False if an app is enrolled. */
export async function insertPendingTotp(
	db: AuthQueryable,
	secrets: SecretBox,
	totp: { readonly id: string; readonly userId: string; readonly secret: string; readonly createdAt: Date },
): Promise<boolean> {
	const { id, userId, createdAt } = totp;
	const row = { id, secret: secrets.seal(totp.secret, owner(id)), createdAt };
	const { numInsertedOrUpdatedRows = 0n } = await db
		.insertInto('totpAuthenticators')
		.values({ userId, ...row })
		.onConflict((conflict) =>
			conflict.column('userId').doUpdateSet(row).where('totpAuthenticators.confirmedAt', 'is', null),
		)
		.executeTakeFirst();
	return numInsertedOrUpdatedRows > 0n;
}

/** Completes an enrolment with the step of its first code. False if it was completed or replaced meanwhile. */
export async function confirmTotp(
	db: AuthQueryable,
	{ id, step, at }: { readonly id: string; readonly step: number; readonly at: Date },
): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('totpAuthenticators')
		.set({ confirmedAt: at, lastUsedAt: at, lastStep: step })
		.where('id', '=', id)
		.where('confirmedAt', 'is', null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Marks a step and all earlier ones as used. False if that has happened: each code is accepted once. */
export async function useTotpStep(
	db: AuthQueryable,
	{ id, step, at }: { readonly id: string; readonly step: number; readonly at: Date },
): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('totpAuthenticators')
		.set({ lastStep: step, lastUsedAt: at })
		.where('id', '=', id)
		.where('lastStep', '<', step)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Encrypts the secrets that are encrypted with another key than the current one. Returns how many. */
export async function resealTotpSecrets(db: AuthQueryable, secrets: SecretBox): Promise<number> {
	const rows = await db.selectFrom('totpAuthenticators').select(['id', 'secret']).execute();
	let resealed = 0;
	for (const { id, secret } of rows) {
		if (secrets.isCurrent(secret)) continue;
		const { numUpdatedRows } = await db
			.updateTable('totpAuthenticators')
			.set({ secret: secrets.seal(secrets.open(secret, owner(id)), owner(id)) })
			.where('id', '=', id)
			.where('secret', '=', secret)
			.executeTakeFirst();
		resealed += Number(numUpdatedRows);
	}
	return resealed;
}

/** Replaces all recovery codes of the account. */
export async function replaceRecoveryCodes(
	transaction: AuthQueryable,
	userId: string,
	codes: readonly string[],
	at: Date,
): Promise<void> {
	await transaction.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
	if (codes.length === 0) return;
	await transaction
		.insertInto('recoveryCodes')
		.values(codes.map((code) => ({ userId, codeHash: recoveryCodeHash(code), createdAt: at })))
		.execute();
}

/** Uses a code. Of concurrent uses one succeeds. */
export async function useRecoveryCode(
	db: AuthQueryable,
	userId: string,
	code: string,
	at: Date,
): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('recoveryCodes')
		.set({ usedAt: at })
		.where('userId', '=', userId)
		.where('codeHash', '=', recoveryCodeHash(code))
		.where('usedAt', 'is', null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function countRecoveryCodes(db: AuthQueryable, userId: string): Promise<number> {
	const { count } = await db
		.selectFrom('recoveryCodes')
		.select(db.fn.countAll<number>().as('count'))
		.where('userId', '=', userId)
		.where('usedAt', 'is', null)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** Removes one factor and returns what it was; undefined if the account has no such factor. */
export async function deleteSecondFactor(
	transaction: AuthQueryable,
	userId: string,
	id: string,
): Promise<{ readonly kind: 'TOTP' | 'PASSKEY'; readonly label: string | null } | undefined> {
	const apps = transaction.deleteFrom('totpAuthenticators').where('userId', '=', userId).where('id', '=', id);
	if ((await apps.executeTakeFirst()).numDeletedRows > 0n) return { kind: 'TOTP', label: null };
	const passkeys = transaction.deleteFrom('passkeys').where('userId', '=', userId).where('id', '=', id);
	const passkey = await passkeys.returning('name').executeTakeFirst();
	return passkey && { kind: 'PASSKEY', label: passkey.name };
}

/** Removes all factors, recovery codes and pending challenges. Returns how many factors there were. */
export async function deleteAllSecondFactors(transaction: AuthQueryable, userId: string): Promise<number> {
	const factors = await listSecondFactors(transaction, userId);
	for (const table of [
		'totpAuthenticators',
		'passkeys',
		'recoveryCodes',
		'signInChallenges',
		'passkeyChallenges',
	] as const)
		await transaction.deleteFrom(table).where('userId', '=', userId).execute();
	return factors.length;
}
