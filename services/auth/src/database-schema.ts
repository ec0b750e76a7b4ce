import type { Database, NarrowedSchema, Queryable } from '@paddock/database';
import type { PublicJwk, Role, RoleScopes } from '@paddock/identity';
import type { ColumnType, Selectable } from 'kysely';
import type { DB } from './database-schema.generated.ts';

export const userStatuses = ['ACTIVE', 'LOCKED', 'SUSPENDED', 'CLOSED'] as const;
type UserStatus = (typeof userStatuses)[number];

/** Tables of this context, as created by the migrations. */
export type AuthSchema = NarrowedSchema<
	DB,
	{
		signingKeys: { publicJwk: PublicJwk };
		users: { roles: ColumnType<readonly Role[]>; roleScopes: RoleScopes; status: UserStatus };
	}
>;

export type AuthDatabase = Database<AuthSchema>;
export type AuthQueryable = Queryable<AuthSchema>;

export type UserRow = Selectable<AuthSchema['users']>;
