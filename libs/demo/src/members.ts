import type { Role, RoleScopes } from '@paddock/identity';
import { demoClubs } from './clubs.ts';

/** The fields of a demo member that several contexts use; the members context has the others. */
export interface DemoMember {
	readonly id: string;
	/** The club number followed by a serial number. */
	readonly membershipNumber: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly gender: 'FEMALE' | 'MALE' | 'DIVERSE';
	/** Age by the rules: current year minus year of birth. */
	readonly ageInYear: number;
	/** `MM-DD` */
	readonly birthday: string;
	readonly nationality: string;
	readonly clubId: string;
}

const { auwiesen, hochlaerchen, seeblick } = demoClubs;

/** Demo members of every age class; the surnames are fictitious. */
export const demoMembers = {
	ada: demoMember(1, auwiesen, '0001', 'Ada', 'Oxerfeld', 'FEMALE', 52, '03-14'),
	benedikt: demoMember(2, hochlaerchen, '0001', 'Benedikt', 'Trabinger', 'MALE', 47, '11-02'),
	clara: demoMember(3, auwiesen, '0002', 'Clara', 'Koppelhuber', 'FEMALE', 41, '06-21'),
	david: demoMember(4, hochlaerchen, '0002', 'David', 'Parcourer', 'MALE', 38, '09-09'),
	eva: demoMember(5, auwiesen, '0003', 'Eva', 'Zügelbauer', 'FEMALE', 34, '01-30'),
	felix: demoMember(6, auwiesen, '0004', 'Felix', 'Galoppmayr', 'MALE', 23, '12-31'),
	greta: demoMember(7, hochlaerchen, '0003', 'Greta', 'Sattelgruber', 'FEMALE', 19, '01-01'),
	hannah: demoMember(8, hochlaerchen, '0004', 'Hannah', 'Volteschön', 'FEMALE', 17, '04-18'),
	ivo: demoMember(9, auwiesen, '0005', 'Ivo', 'Hufnagelsberg', 'MALE', 16, '08-05'),
	jana: demoMember(10, seeblick, '0001', 'Jana', 'Pirouettner', 'FEMALE', 14, '02-28'),
	kilian: demoMember(11, seeblick, '0002', 'Kilian', 'Striegelmoser', 'MALE', 12, '10-26'),
	lea: demoMember(12, seeblick, '0003', 'Lea', 'Mähnenreich', 'FEMALE', 10, '07-07'),
	moritz: demoMember(13, seeblick, '0004', 'Moritz', 'Traversinger', 'MALE', 8, '05-23'),
	nora: demoMember(14, hochlaerchen, '0005', 'Nora', 'Kandarer', 'FEMALE', 29, '03-31', 'DE'),
	oskar: demoMember(15, auwiesen, '0006', 'Oskar', 'Stallinger-Hecht', 'MALE', 66, '09-30'),
} as const satisfies Record<string, DemoMember>;

/** @param running the second half of the membership number */
export function demoMember(
	number: number,
	club: { readonly id: string; readonly clubNumber: string },
	running: string,
	firstName: string,
	lastName: string,
	gender: DemoMember['gender'],
	ageInYear: number,
	birthday: string,
	nationality = 'AT',
): DemoMember {
	return {
		id: `d2000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
		membershipNumber: `${club.clubNumber}${running}`,
		firstName,
		lastName,
		gender,
		ageInYear,
		birthday,
		nationality,
		clubId: club.id,
	};
}

/** The birth date of a person who turns `ageInYear` in the year of `now`. `birthday` is `MM-DD`, but not 29 February. */
export function birthDateOf(
	born: { readonly ageInYear: number; readonly birthday: string },
	now: Date,
): string {
	return `${now.getUTCFullYear() - born.ageInYear}-${born.birthday}`;
}

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
