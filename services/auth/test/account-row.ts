import type { Insertable } from 'kysely';
import type { AuthSchema } from '../src/database-schema.ts';

type AccountRow = Insertable<AuthSchema['users']>;

/** The row of an account, for databases that no service has opened yet. */
export function accountRow(email: string, changes: Partial<AccountRow> = {}): AccountRow {
	const at = new Date('2026-01-01T00:00:00Z');
	return {
		email,
		passwordHash: 'x',
		firstName: 'Anna',
		lastName: 'Huber',
		phoneNumber: null,
		locale: 'de-AT',
		roles: ['MEMBER'],
		roleScopes: {},
		memberId: null,
		status: 'ACTIVE',
		searchText: email,
		isDemo: false,
		lastLoginAt: null,
		passwordChangedAt: at,
		createdAt: at,
		updatedAt: at,
		...changes,
	};
}
