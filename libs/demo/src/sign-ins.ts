import type { Role, RoleScopes } from '@paddock/identity';
import { demoClubs } from './clubs.ts';
import { demoMembers } from './members.ts';

/** A demo account with public credentials. */
export interface DemoSignIn {
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly roles: readonly Role[];
	readonly roleScopes: RoleScopes;
	readonly memberId: string;
}

/** One account per role, each of a demo member. */
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

/** The password of all demo accounts. It is public, so production refuses demo accounts. */
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
