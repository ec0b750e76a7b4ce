import type { Role } from '@paddock/identity';

// Imports nothing that runs: whoever prints the sign-ins needn't load a service for it.

export interface DemoUser {
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly roles: readonly Role[];
}

/** Invented people, one for each role, who exist with DEMO=on. */
export const demoUsers: readonly DemoUser[] = [
	{ email: 'admin@example.org', firstName: 'Ada', lastName: 'Oxerfeld', roles: ['MEMBER', 'ADMIN'] },
	{
		email: 'officer@example.org',
		firstName: 'Benedikt',
		lastName: 'Trabinger',
		roles: ['MEMBER', 'FEDERATION_OFFICER'],
	},
	{
		email: 'official@example.org',
		firstName: 'Clara',
		lastName: 'Koppelhuber',
		roles: ['MEMBER', 'CLUB_OFFICIAL'],
	},
	{
		email: 'organiser@example.org',
		firstName: 'David',
		lastName: 'Parcourer',
		roles: ['MEMBER', 'ORGANISER'],
	},
	{ email: 'member@example.org', firstName: 'Eva', lastName: 'Zuegelbauer', roles: ['MEMBER'] },
];

/** The password of every demo user. Public, which is why production refuses them. */
export const demoPassword = 'canter over the hedge';
