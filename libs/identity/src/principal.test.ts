import { describe, expect, test } from '@jest/globals';
import { actingMember, actsFor, clubsCovered, isContactFor, membersActedFor } from './principal.ts';

const clubIds = ['d1000000-0000-4000-8000-000000000001'];

test('a role covers the clubs of its scope, if the principal has the role', () => {
	const roleScopes = { CLUB_OFFICIAL: { clubIds } };
	expect(clubsCovered({ roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes }, 'CLUB_OFFICIAL')).toEqual(clubIds);
	expect(clubsCovered({ roles: ['MEMBER'], roleScopes }, 'CLUB_OFFICIAL')).toEqual([]);
	expect(clubsCovered({ roles: ['MEMBER', 'ORGANISER'], roleScopes }, 'ORGANISER')).toEqual([]);
});

test('a role whose scope was forgotten covers nothing', () => {
	expect(clubsCovered({ roles: ['CLUB_OFFICIAL'], roleScopes: {} }, 'CLUB_OFFICIAL')).toEqual([]);
	expect(clubsCovered({ roles: ['ADMIN'], roleScopes: {} }, 'ORGANISER')).toEqual([]);
});

const [self, child, other] = ['m1', 'm2', 'm3'] as const;

describe('the members that a caller acts for', () => {
	const parent = { memberId: self, guardianOf: [child] };

	test('are the own one, wards by a link and wards whose record names the own one', () => {
		expect([self, child, other].map((id) => actsFor(parent, id))).toEqual([true, true, false]);
		expect(actsFor(parent, other, self)).toBe(true);
		expect(membersActedFor(parent)).toEqual([self, child]);
	});

	// A record without a guardian and an account without a member are both empty, and must not match.
	test.each([null, undefined])('are none where the member is %s', (missing) => {
		const guest = { memberId: undefined, guardianOf: [] };
		expect(actsFor(guest, missing)).toBe(false);
		expect(actsFor(guest, other, missing)).toBe(false);
		expect(actsFor(parent, missing, self)).toBe(false);
		expect(membersActedFor(guest)).toEqual([]);
	});

	test('the own one comes first on a record of several', () => {
		expect(actingMember(parent, [null, child, self])).toBe(self);
		expect(actingMember(parent, [child, other])).toBe(child);
		expect(actingMember(parent, [other])).toBe(self);
		expect(actingMember({ memberId: undefined, guardianOf: [] }, [other])).toBeUndefined();
	});
});

test('a contact acts for members of the club that named it only', () => {
	const contact = { contactFor: [{ clubId: 'c1', memberIds: [child] }] };
	expect(isContactFor(contact, { id: child, clubId: 'c1' })).toBe(true);
	expect(isContactFor(contact, { id: child, clubId: 'c2' })).toBe(false);
	expect(isContactFor(contact, { id: child, clubId: null })).toBe(false);
	expect(isContactFor(contact, { id: other, clubId: 'c1' })).toBe(false);
});
