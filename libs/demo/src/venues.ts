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
