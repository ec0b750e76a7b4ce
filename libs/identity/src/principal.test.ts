import { expect, test } from '@jest/globals';
import { clubsCovered } from './principal.ts';

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
