import { describe, expect, test } from '@jest/globals';
import type { Principal, Role } from '@paddock/identity';
import { isEntrusted, mayBringTo } from './rules.ts';

const [club, otherClub, person, other] = ['c1', 'c2', 'm1', 'm2'];

function principal(roles: readonly Role[], changes: Partial<Principal> = {}): Principal {
	return {
		userId: 'u',
		roles,
		roleScopes: {},
		scopes: [],
		memberId: undefined,
		guardianOf: [],
		contactFor: [],
		sessionId: 's',
		accountVersion: 0,
		authenticatedAt: new Date(0),
		authenticationMethods: [],
		tokenId: 't',
		keyId: 'k',
		issuedAt: new Date(0),
		expiresAt: new Date(1),
		...changes,
	};
}

const official = (clubIds: readonly string[]) =>
	principal(['MEMBER', 'CLUB_OFFICIAL'], { roleScopes: { CLUB_OFFICIAL: { clubIds } } });
const horse = { clubId: club ?? null, responsibleMemberId: null, owners: [{ memberId: null }] };
const owned = { ...horse, owners: [{ memberId: null }, { memberId: person ?? null }] };
const minorsHorse = { ...horse, responsibleMemberId: person ?? null };

describe('callers who are entrusted with a horse', () => {
	test.each([
		['an officer', principal(['FEDERATION_OFFICER']), horse, true],
		['an administrator', principal(['ADMIN']), horse, true],
		['an owner', principal(['MEMBER'], { memberId: person }), owned, true],
		['the guardian of an owner', principal(['MEMBER'], { guardianOf: [person ?? ''] }), owned, true],
		['the guardian of another member', principal(['MEMBER'], { guardianOf: [other ?? ''] }), owned, false],
		['the responsible person', principal(['MEMBER'], { memberId: person }), minorsHorse, true],
		['another member', principal(['MEMBER'], { memberId: other }), owned, false],
		['an account without a member', principal(['MEMBER']), owned, false],
		['an official of the club', official(['c0', 'c1']), horse, true],
		['an official of another club', official(['c2']), horse, false],
		['an official of no club', official([]), horse, false],
		['an official without a scope', principal(['CLUB_OFFICIAL']), horse, false],
		['an official, of a horse without a club', official(['c1']), { ...horse, clubId: null }, false],
		[
			'an organiser of the club',
			principal(['ORGANISER'], { roleScopes: { ORGANISER: { clubIds: ['c1'] } } }),
			horse,
			false,
		],
		[
			'a scope of a role that is not held',
			principal(['MEMBER'], { roleScopes: { CLUB_OFFICIAL: { clubIds: ['c1'] } } }),
			horse,
			false,
		],
	])('%s', (_who, caller, of, expected) => {
		expect(isEntrusted(caller, of)).toBe(expected);
	});

	test('an official brings a horse to the own clubs only, an owner to any', () => {
		expect(mayBringTo(official(['c1', 'c2']), horse, otherClub ?? null)).toBe(true);
		expect(mayBringTo(official(['c1']), horse, otherClub ?? null)).toBe(false);
		expect(mayBringTo(official(['c1']), horse, null)).toBe(false);
		expect(mayBringTo(principal(['MEMBER'], { memberId: person }), owned, otherClub ?? null)).toBe(true);
	});
});
