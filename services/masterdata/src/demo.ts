import type { SeedSet } from '@paddock/database';
import { type DemoVenue, demoVenues as sharedVenues } from '@paddock/demo';
import type { ArenaBody } from './arenas/schemas.ts';
import { arenaRow } from './arenas/store.ts';
import type { MasterdataQueryable, MasterdataSchema } from './database-schema.ts';
import type { VenueBody } from './venues/schemas.ts';
import { venueRow } from './venues/store.ts';

interface VenueDetails extends Pick<VenueBody, 'latitude' | 'longitude' | 'website' | 'stableBoxes'> {
	readonly shared: DemoVenue;
	readonly address: { readonly street: string | null; readonly postalCode: string };
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
const { auwiesen, hochlaerchen, seeblick } = sharedVenues;

const demoVenueList: readonly VenueDetails[] = [
	{
		shared: auwiesen,
		address: { street: 'Koppelweg 1', postalCode: '3499' },
		latitude: 48.31,
		longitude: 15.87,
		website: 'https://auwiesen.example.org',
		stableBoxes: 180,
		arenas: [
			{ ...sandArena, name: 'Hauptplatz', lengthM: 90, widthM: 60 },
			{ ...warmUp, name: 'Abreiteplatz', lengthM: 60, widthM: 40 },
			{ ...hall, name: 'Halle', type: 'COMPETITION', lengthM: 65, widthM: 25 },
		],
	},
	{
		shared: hochlaerchen,
		address: { street: 'Almstraße 7', postalCode: '8999' },
		latitude: 47.41,
		longitude: 14.28,
		website: null,
		stableBoxes: 60,
		arenas: [
			{ ...sandArena, name: 'Dressurviereck', lengthM: 60, widthM: 20, surface: 'TEXTILE' },
			{ ...warmUp, name: 'Wiese', lengthM: 120, widthM: 80, surface: 'GRASS' },
			{ ...hall, name: 'Longierhalle', type: 'LUNGING', lengthM: 18, widthM: 18 },
		],
	},
	{
		shared: seeblick,
		address: { street: null, postalCode: '5399' },
		latitude: 47.83,
		longitude: 13.24,
		website: null,
		stableBoxes: null,
		arenas: [{ ...sandArena, name: 'Springplatz', lengthM: 80, widthM: 55.5, surface: 'GRASS' }],
	},
];

/** Inserted once if DEMO=on. The seed mark remains after their removal, so that they are not inserted again. */
export const demoVenues: SeedSet<MasterdataSchema> = {
	name: 'demo-venues-1',
	insert: async (db) => {
		for (const { shared, address, arenas, ...details } of demoVenueList) {
			const { id, city, ...venue } = shared;
			const row = venueRow({ ...venue, ...details, address: { ...address, city }, isActive: true });
			await db
				.insertInto('venues')
				.values({ ...row, id, isDemo: true })
				.execute();
			await db
				.insertInto('arenas')
				.values(arenas.map((arena) => ({ ...arenaRow(arena), venueId: id })))
				.execute();
		}
	},
};

/** Removes the demo venues with all their arenas, even if they were changed; resolves with the number of venues. */
export async function removeDemo(db: MasterdataQueryable): Promise<number> {
	const venues = db.deleteFrom('venues').where('isDemo', '=', true);
	return (await venues.returning('id').execute()).length;
}
