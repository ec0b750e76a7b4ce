import type { SeedSet } from '@paddock/database';
import type { MasterdataQueryable, MasterdataSchema } from './database-schema.ts';
import { venueRow } from './repository/venues.ts';
import type { ArenaBody } from './schemas/arena.ts';
import type { VenueBody } from './schemas/venue.ts';

interface DemoVenue {
	/** Fixed, so that demo data of other contexts can refer to it. */
	readonly id: string;
	readonly venue: VenueBody;
	readonly arenas: readonly ArenaBody[];
}

const sandArena = {
	type: 'COMPETITION',
	surface: 'SAND',
	indoor: false,
	floodlit: true,
	isActive: true,
} as const;
const warmUp = { type: 'WARM_UP', surface: 'SAND', indoor: false, floodlit: false, isActive: true } as const;
const hall = { surface: 'TEXTILE', indoor: true, floodlit: true, isActive: true } as const;
const inAustria = { countryCode: 'AT', timeZone: 'Europe/Vienna', isActive: true } as const;

/** Invented venues with fictitious names, streets and web addresses. */
const demoVenueList: readonly DemoVenue[] = [
	{
		id: 'd0000000-0000-4000-8000-000000000001',
		venue: {
			...inAustria,
			name: 'Reitzentrum Auwiesen',
			address: { street: 'Koppelweg 1', postalCode: '3499', city: 'Auwiesen an der Furt' },
			stateCode: 'AT-3',
			latitude: 48.31,
			longitude: 15.87,
			website: 'https://auwiesen.example.org',
			stableBoxes: 180,
		},
		arenas: [
			{ ...sandArena, name: 'Hauptplatz', lengthM: 90, widthM: 60 },
			{ ...warmUp, name: 'Abreiteplatz', lengthM: 60, widthM: 40 },
			{ ...hall, name: 'Halle', type: 'COMPETITION', lengthM: 65, widthM: 25 },
		],
	},
	{
		id: 'd0000000-0000-4000-8000-000000000002',
		venue: {
			...inAustria,
			name: 'Gestüt Hochlärchen',
			address: { street: 'Almstraße 7', postalCode: '8999', city: 'Hochlärchen' },
			stateCode: 'AT-6',
			latitude: 47.41,
			longitude: 14.28,
			website: null,
			stableBoxes: 60,
		},
		arenas: [
			{ ...sandArena, name: 'Dressurviereck', lengthM: 60, widthM: 20, surface: 'TEXTILE' },
			{ ...warmUp, name: 'Wiese', lengthM: 120, widthM: 80, surface: 'GRASS' },
			{ ...hall, name: 'Longierhalle', type: 'LUNGING', lengthM: 18, widthM: 18 },
		],
	},
	{
		id: 'd0000000-0000-4000-8000-000000000003',
		venue: {
			...inAustria,
			name: 'Turnierplatz Seeblick',
			address: { street: null, postalCode: '5399', city: 'Seeblick am Moor' },
			stateCode: 'AT-5',
			latitude: 47.83,
			longitude: 13.24,
			website: null,
			stableBoxes: null,
		},
		arenas: [{ ...sandArena, name: 'Springplatz', lengthM: 80, widthM: 55.5, surface: 'GRASS' }],
	},
];

/**
 * Demo venues, inserted once if DEMO=on. The seed mark remains after their removal, so that they are not inserted
 * again.
 */
export const demoVenues: SeedSet<MasterdataSchema> = {
	name: 'demo-venues-1',
	insert: async (db) => {
		for (const { id, venue, arenas } of demoVenueList) {
			await db
				.insertInto('venues')
				.values({ ...venueRow(venue), id, isDemo: true })
				.execute();
			await db
				.insertInto('arenas')
				.values(arenas.map((arena) => ({ ...arena, venueId: id })))
				.execute();
		}
	},
};

/** Removes the demo venues with all their arenas, even if they were changed; resolves with the number of venues. */
export async function removeDemo(db: MasterdataQueryable): Promise<number> {
	const venues = db.deleteFrom('venues').where('isDemo', '=', true);
	return (await venues.returning('id').execute()).length;
}
