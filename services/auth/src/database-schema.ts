import type { Database, NarrowedSchema, Queryable } from '@paddock/database';
import type { PublicJwk, Role, RoleScopes } from '@paddock/identity';
import type { ColumnType, Selectable } from 'kysely';
import type { DB } from './database-schema.generated.ts';

export const userStatuses = ['ACTIVE', 'LOCKED', 'SUSPENDED', 'CLOSED'] as const;
type UserStatus = (typeof userStatuses)[number];

export const relationships = ['SELF', 'GUARDIAN', 'CLUB_CONTACT'] as const;
export type Relationship = (typeof relationships)[number];

export const linkStatuses = ['REQUESTED', 'CONFIRMED', 'DECLINED', 'ENDED'] as const;
type LinkStatus = (typeof linkStatuses)[number];

export const personRequestStatuses = ['REQUESTED', 'READY', 'CANCELLED', 'STARTED', 'DONE'] as const;
type PersonRequestStatus = (typeof personRequestStatuses)[number];

/** Tables of this context, as created by the migrations. */
export type AuthSchema = NarrowedSchema<
	DB,
	{
		personRequests: { kind: 'EXPORT' | 'ERASURE'; status: PersonRequestStatus };
		memberLinks: { relationship: Relationship; status: LinkStatus };
		signingKeys: { publicJwk: PublicJwk };
		users: { roles: ColumnType<readonly Role[]>; roleScopes: RoleScopes; status: UserStatus };
	}
>;

export type AuthDatabase = Database<AuthSchema>;
export type AuthQueryable = Queryable<AuthSchema>;

export type PersonRequestRow = Selectable<AuthSchema['personRequests']>;
export type MemberLinkRow = Selectable<AuthSchema['memberLinks']>;
export type UserRow = Selectable<AuthSchema['users']>;
