import type { Role, RoleScopes } from '@paddock/identity';
import { demoClubs } from './clubs.ts';
import { demoMembers } from './members.ts';

/** An account that everybody may use. */
export interface DemoSignIn {
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly roles: readonly Role[];
	readonly roleScopes: RoleScopes;
	readonly memberId: string;
}

/** One account for each role, of the members of the same names. */
export const demoSignIns: readonly DemoSignIn[] = [
	signIn('admin', demoMembers.ada, ['MEMBER', 'ADMIN']),
	signIn('officer', demoMembers.benedikt, ['MEMBER', 'FEDERATION_OFFICER']),
	signIn('official', demoMembers.clara, ['MEMBER', 'CLUB_OFFICIAL'], {
		CLUB_OFFICIAL: { clubIds: [demoClubs.auwiesen.id] },
	}),
	signIn('organiser', demoMembers.david, ['MEMBER', 'ORGANISER'], {
		ORGANISER: { clubIds: [demoClubs.hochlaerchen.id] },
	}),
	signIn('member', demoMembers.eva, ['MEMBER']),
];

/** The password of every demo account. Public, which is why production refuses them. */
export const demoPassword = 'canter over the hedge';

function signIn(
	name: string,
	person: { readonly id: string; readonly firstName: string; readonly lastName: string },
	roles: readonly Role[],
	roleScopes: RoleScopes = {},
): DemoSignIn {
	const { firstName, lastName, id: memberId } = person;
	return { email: `${name}@example.org`, firstName, lastName, roles, roleScopes, memberId };
}
