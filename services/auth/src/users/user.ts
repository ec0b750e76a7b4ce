import type { Role, RoleScopes } from '@paddock/identity';
import type { UserStatus } from '../auth-database.ts';

/** An account, without its password. */
export interface User {
	readonly id: string;
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly phoneNumber: string | null;
	/** BCP 47. */
	readonly locale: string;
	readonly roles: readonly Role[];
	readonly roleScopes: RoleScopes;
	/** Linked member in the members context. */
	readonly memberId: string | null;
	readonly status: UserStatus;
	readonly lastLoginAt: Date | null;
	readonly passwordChangedAt: Date;
	readonly createdAt: Date;
	readonly updatedAt: Date;
	readonly version: number;
}
