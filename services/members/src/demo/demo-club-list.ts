import { demoClubs } from '@paddock/demo';
import type { ClubBody } from '../clubs/schemas.ts';

interface DemoClubRecord {
	readonly id: string;
	readonly club: ClubBody;
}

function recordOf(
	club: (typeof demoClubs)[keyof typeof demoClubs],
	rest: Pick<ClubBody, 'address' | 'email' | 'website'>,
): DemoClubRecord {
	const { id, clubNumber, name, shortName, stateCode } = club;
	return { id, club: { clubNumber, name, shortName, stateCode, ...rest, status: 'ACTIVE' } };
}

/** Invented clubs with fictitious streets, e-mail and web addresses. */
export const demoClubList: readonly DemoClubRecord[] = [
	recordOf(demoClubs.auwiesen, {
		address: { street: 'Koppelweg 1', postalCode: '3499', city: 'Auwiesen an der Furt', countryCode: 'AT' },
		email: 'verein@auwiesen.example.org',
		website: 'https://auwiesen.example.org',
	}),
	recordOf(demoClubs.hochlaerchen, {
		address: { street: 'Almstraße 7', postalCode: '8999', city: 'Hochlärchen', countryCode: 'AT' },
		email: 'office@hochlaerchen.example.org',
		website: null,
	}),
	recordOf(demoClubs.seeblick, {
		address: { street: null, postalCode: '5399', city: 'Seeblick am Moor', countryCode: 'AT' },
		email: null,
		website: null,
	}),
];
