import { demoClubs } from '@paddock/demo';
import { roles } from '@paddock/identity';
import { id, uniqueItems } from '@paddock/service';
import { z } from 'zod';
import { role } from './schemas.ts';

const clubIdsMax = 50;

const scopeBody = z
	.strictObject({
		// Limit at which an access token with all ids still fits into the headers of a request.
		clubIds: uniqueItems(z.array(id).min(1).max(clubIdsMax), 'must not name a club twice').describe(
			'UUIDs of the clubs that the role covers.',
		),
	})
	.meta({ id: 'RoleScopeBody', description: 'Clubs of one role; absent if it covers none.' })
	.optional();

export const rolesBody = z
	.strictObject({
		roles: uniqueItems(z.array(role).min(1).max(roles.length), 'must not name a role twice')
			.transform((list) => roles.filter((known) => list.includes(known)))
			.describe('All roles of the account from now on.'),
		roleScopes: z
			.strictObject({ CLUB_OFFICIAL: scopeBody, ORGANISER: scopeBody })
			.meta({
				id: 'RoleScopesBody',
				description: 'Clubs by role, only for roles that the user gets; if absent they cover no club.',
			})
			.default({}),
		memberId: id
			.nullable()
			.optional()
			.describe('A member that no other account has. null = belongs to no member. Absent = as it was.'),
	})
	.superRefine((body, context) => {
		for (const name of ['CLUB_OFFICIAL', 'ORGANISER'] as const) {
			if (body.roleScopes[name] === undefined || body.roles.includes(name)) continue;
			context.addIssue({
				code: 'custom',
				path: ['roleScopes', name],
				params: { code: 'INVALID_REFERENCE' },
				message: 'limits a role that the user does not get',
			});
		}
	})
	.meta({
		id: 'RolesChange',
		description: 'Roles, their clubs and the member of an account.',
		example: {
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [demoClubs.auwiesen.id] } },
		},
	});
