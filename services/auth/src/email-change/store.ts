import type { Selectable } from 'kysely';
import type { AuthQueryable, AuthSchema } from '../database-schema.ts';

export type EmailChange = Readonly<Selectable<AuthSchema['emailChanges']>>;

/** Replaces an earlier change of the account, whose tokens are then void. */
export async function startEmailChange(
	transaction: AuthQueryable,
	change: { readonly userId: string; readonly newEmail: string; readonly createdAt: Date },
): Promise<string> {
	await deleteEmailChange(transaction, change.userId);
	const { id } = await transaction
		.insertInto('emailChanges')
		.values(change)
		.returning('id')
		.executeTakeFirstOrThrow();
	return id;
}

export function findEmailChange(db: AuthQueryable, userId: string): Promise<EmailChange | undefined> {
	return db.selectFrom('emailChanges').selectAll().where('userId', '=', userId).executeTakeFirst();
}

/** Notes the confirmation at one of the addresses; undefined if the change was replaced. */
export function confirmEmailChange(
	transaction: AuthQueryable,
	id: string,
	confirmed: 'leftAt' | 'enteredAt',
	at: Date,
): Promise<EmailChange | undefined> {
	return transaction
		.updateTable('emailChanges')
		.set({ [confirmed]: at })
		.where('id', '=', id)
		.returningAll()
		.executeTakeFirst();
}

export async function deleteEmailChange(transaction: AuthQueryable, userId: string): Promise<void> {
	await transaction.deleteFrom('emailChanges').where('userId', '=', userId).execute();
}
