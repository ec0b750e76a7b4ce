import type { UserRow } from '../database-schema.ts';

/** The columns of an account without its password; `memberId` is a member in the members context. */
export const userColumns = [
	'id',
	'email',
	'firstName',
	'lastName',
	'phoneNumber',
	'locale',
	'roles',
	'roleScopes',
	'memberId',
	'status',
	'lastLoginAt',
	'passwordChangedAt',
	'createdAt',
	'updatedAt',
	'version',
] as const satisfies readonly (keyof UserRow)[];

export type User = Readonly<Pick<UserRow, (typeof userColumns)[number]>>;
