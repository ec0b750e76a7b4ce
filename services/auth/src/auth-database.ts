import type { Database, Queryable } from '@paddock/database';
import type { PublicJwk, Role, RoleScopes } from '@paddock/identity';
import type { ColumnType, Generated } from 'kysely';

export const userStatuses = ['ACTIVE', 'LOCKED', 'SUSPENDED', 'CLOSED'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** The tables of this context, as its migrations make them. */
export interface AuthTables {
	users: UsersTable;
	sessions: SessionsTable;
	refresh_tokens: RefreshTokensTable;
	devices: DevicesTable;
	unlinked_members: UnlinkedMembersTable;
	sign_in_failures: SignInFailuresTable;
	signing_keys: SigningKeysTable;
	revocation_feed: RevocationFeedTable;
	revocations: RevocationsTable;
}

export type AuthDatabase = Database<AuthTables>;
export type AuthQueryable = Queryable<AuthTables>;

export interface UsersTable {
	id: Generated<string>;
	email: string;
	/** A PHC string. Leaves the repository only towards the comparison with a password. */
	password_hash: string;
	first_name: string;
	last_name: string;
	phone_number: string | null;
	locale: string;
	roles: Role[];
	/** Written as JSON text: the driver would send a JavaScript array or object by rules of its own. */
	role_scopes: ColumnType<RoleScopes, string, string>;
	member_id: string | null;
	status: UserStatus;
	/** See `searchTextOf`. */
	search_text: string;
	is_demo: boolean;
	last_login_at: Date | null;
	password_changed_at: Date;
	created_at: Date;
	updated_at: Date;
	version: Generated<number>;
}

/** One sign-in and all that was refreshed from it: the family of its refresh tokens. */
export interface SessionsTable {
	id: Generated<string>;
	user_id: string;
	created_at: Date;
	/** When the last of its refresh tokens expires. */
	expires_at: Date;
	ended_at: Date | null;
	/** The device that it was opened on; null when that has been forgotten. */
	device_id: ColumnType<string | null, string | null | undefined, string | null>;
}

/** A device that has signed in to an account. */
export interface DevicesTable {
	id: Generated<string>;
	user_id: string;
	/** SHA-256 of the token that the device keeps. */
	token_hash: Buffer;
	created_at: Date;
	last_sign_in_at: Date;
	expires_at: Date;
}

/** An account that shared its member with another one when members became unique, until an officer has decided. */
export interface UnlinkedMembersTable {
	user_id: string;
	member_id: string;
	/** The account that kept the member. */
	kept_by: string;
}

export interface RefreshTokensTable {
	/** SHA-256 of the token: it has 256 random bits, so nothing slower is needed. */
	token_hash: Buffer;
	session_id: string;
	expires_at: Date;
	used_at: Date | null;
	/** The token whose exchange issued this one; null for the first of a session. */
	replaces: Buffer | null;
	/** When a second exchange of `replaces` took this one's place. */
	voided_at: Date | null;
}

/**
 * One attempt to prove a password that failed, or is not decided yet. It counts for its series until `account_until` and
 * for the client address until `address_until`.
 */
export interface SignInFailuresTable {
	id: Generated<number>;
	/** Of an account, a known device or a session. Hashed: people sometimes type their password into the e-mail field. */
	account_key: string;
	/** Null where the address doesn't count. */
	address_key: string | null;
	failed_at: Date;
	account_until: Date;
	address_until: Date | null;
}

/** One row. */
export interface RevocationFeedTable {
	id: Generated<string>;
	/** The position of the latest revocation. */
	last: Generated<number>;
}

/** See `Revocation` of libs/identity. */
export interface RevocationsTable {
	position: number;
	subject: string;
	before: number | null;
	created_at: Date;
}

export interface SigningKeysTable {
	kid: string;
	/** PKCS #8, PEM. */
	private_key: string;
	public_jwk: ColumnType<PublicJwk, string, never>;
	created_at: Date;
	/** Published from `created_at`, signs from here until the next key does. */
	signs_from: Date;
}
