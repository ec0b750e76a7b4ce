/** The fields of a demo club that several contexts use; the members context has the others. */
interface DemoClub {
	readonly id: string;
	readonly clubNumber: string;
	readonly name: string;
	readonly shortName: string;
	/** ISO 3166-2. */
	readonly stateCode: string;
}

/** Demo clubs; their numbers end in 999, which the federation doesn't assign. */
export const demoClubs = {
	auwiesen: {
		id: 'd1000000-0000-4000-8000-000000000001',
		clubNumber: '1999',
		name: 'Reitverein Auwiesen',
		shortName: 'RV Auwiesen',
		stateCode: 'AT-3',
	},
	hochlaerchen: {
		id: 'd1000000-0000-4000-8000-000000000002',
		clubNumber: '4999',
		name: 'Reit- und Fahrclub Hochlärchen',
		shortName: 'RFC Hochlärchen',
		stateCode: 'AT-6',
	},
	seeblick: {
		id: 'd1000000-0000-4000-8000-000000000003',
		clubNumber: '6999',
		name: 'Ponyclub Seeblick',
		shortName: 'PC Seeblick',
		stateCode: 'AT-5',
	},
} as const satisfies Record<string, DemoClub>;

/** The fields of a demo venue that several contexts use; the masterdata context has the others. */
export interface DemoVenue {
	readonly id: string;
	readonly name: string;
	readonly city: string;
	/** ISO 3166-2. */
	readonly stateCode: string;
	readonly countryCode: 'AT';
	readonly timeZone: 'Europe/Vienna';
}

const inAustria = { countryCode: 'AT', timeZone: 'Europe/Vienna' } as const;

/** Demo venues, one for each demo club. */
export const demoVenues = {
	auwiesen: {
		...inAustria,
		id: 'd0000000-0000-4000-8000-000000000001',
		name: 'Reitzentrum Auwiesen',
		city: 'Auwiesen an der Furt',
		stateCode: 'AT-3',
	},
	hochlaerchen: {
		...inAustria,
		id: 'd0000000-0000-4000-8000-000000000002',
		name: 'Gestüt Hochlärchen',
		city: 'Hochlärchen',
		stateCode: 'AT-6',
	},
	seeblick: {
		...inAustria,
		id: 'd0000000-0000-4000-8000-000000000003',
		name: 'Turnierplatz Seeblick',
		city: 'Seeblick am Moor',
		stateCode: 'AT-5',
	},
} as const satisfies Record<string, DemoVenue>;
