import type { Database, Queryable } from '@paddock/database';
import type { PublicJwk, Role, RoleScopes } from '@paddock/identity';
import type { ColumnType, Generated } from 'kysely';

export const userStatuses = ['ACTIVE', 'LOCKED', 'SUSPENDED', 'CLOSED'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** Tables of this context, as created by its migrations. */
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
	/** PHC string. Leaves the repository only for comparison with a password. */
	password_hash: string;
	first_name: string;
	last_name: string;
	phone_number: string | null;
	locale: string;
	roles: Role[];
	/** Written as JSON text, because the driver serializes JavaScript arrays and objects by its own rules. */
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

/** One sign-in and every refresh from it: the family of its refresh tokens. */
export interface SessionsTable {
	id: Generated<string>;
	user_id: string;
	created_at: Date;
	/** When the last of its refresh tokens expires. */
	expires_at: Date;
	ended_at: Date | null;
	/** The device on which the session was opened; null if that device has been removed. */
	device_id: ColumnType<string | null, string | null | undefined, string | null>;
}

/** A device that has signed in to an account. */
export interface DevicesTable {
	id: Generated<string>;
	user_id: string;
	/** SHA-256 of the token that the device stores. */
	token_hash: Buffer;
	created_at: Date;
	last_sign_in_at: Date;
	expires_at: Date;
}

/**
 * Account whose member was also linked to another account when members became unique. The row is removed when an
 * officer sets or confirms the member link.
 */
export interface UnlinkedMembersTable {
	user_id: string;
	member_id: string;
	/** The account that remains linked to the member. */
	kept_by: string;
}

export interface RefreshTokensTable {
	/** SHA-256 of the token; with 256 random bits it needs no slower hash. */
	token_hash: Buffer;
	session_id: string;
	expires_at: Date;
	used_at: Date | null;
	/** The token whose exchange issued this one; null for the first of a session. */
	replaces: Buffer | null;
	/** When a second exchange of `replaces` superseded this token. */
	voided_at: Date | null;
}

/**
 * A password attempt that failed or is still undecided. It counts for its series until `account_until` and for the
 * client address until `address_until`.
 */
export interface SignInFailuresTable {
	id: Generated<number>;
	/**
	 * Series key of an account, a known device or a session. Hashed, because users sometimes type their password into
	 * the e-mail field.
	 */
	account_key: string;
	/** Null if the address doesn't count. */
	address_key: string | null;
	failed_at: Date;
	account_until: Date;
	address_until: Date | null;
}

/** Contains exactly one row. */
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
	/** Published from `created_at`; signs from this instant until the next key starts signing. */
	signs_from: Date;
}
