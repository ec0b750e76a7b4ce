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
