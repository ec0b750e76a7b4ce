import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { inventedCountry } from './invented-country.ts';
import { useMasterdata } from './running-masterdata.ts';

const masterdata = useMasterdata();
const { call } = masterdata;
let venueId: string;

const venue = { name: 'Reitzentrum Wiesen', countryCode: 'AT', timeZone: 'Europe/Vienna' };

beforeAll(async () => {
	const made = await call<{ id: string }>('POST', '/api/masterdata/venues', {
		token: masterdata.officer,
		body: venue,
	});
	venueId = made.data.id;
});

interface Creation {
	readonly path: () => string;
	readonly body: Readonly<Record<string, unknown>>;
	/** A field that another request changes. */
	readonly other: Readonly<Record<string, unknown>>;
	readonly table: 'countries' | 'states' | 'ageClasses' | 'venues' | 'arenas';
}

const creations: Readonly<Record<string, Creation>> = {
	country: {
		path: () => '/api/masterdata/countries',
		body: inventedCountry('Q'),
		other: { nameEn: 'Sylvania' },
		table: 'countries',
	},
	state: {
		path: () => '/api/masterdata/states',
		body: { countryCode: 'LI', iso3166_2: 'LI-99', name: 'Oberland' },
		other: { name: 'Unterland' },
		table: 'states',
	},
	'age class': {
		path: () => '/api/masterdata/age-classes',
		body: {
			code: 'LUNGERS',
			ruleset: 'FEI',
			nameEn: 'Lungers',
			nameDe: 'Longenführer',
			category: 'RIDER',
			minAge: 18,
			legalReference: 'House rules',
		},
		other: { nameEn: 'Handlers' },
		table: 'ageClasses',
	},
	venue: {
		path: () => '/api/masterdata/venues',
		body: { ...venue, name: 'Gestüt Einmal' },
		other: { name: 'Gestüt Anders' },
		table: 'venues',
	},
	arena: {
		path: () => `/api/masterdata/venues/${venueId}/arenas`,
		body: { name: 'Sandplatz', type: 'COMPETITION', surface: 'SAND', indoor: false, floodlit: false },
		other: { name: 'Grasplatz' },
		table: 'arenas',
	},
};

// The header was ignored: a client that repeated a POST after a lost response made a second record or got a 409.
test.each(Object.keys(creations))('a %s is created once per Idempotency-Key', async (name) => {
	const { path, body, other, table } = creations[name] as Creation;
	const count = async () => {
		const { rows } = await masterdata.db
			.selectFrom(table)
			.select(({ fn }) => fn.countAll<number>().as('rows'))
			.executeTakeFirstOrThrow();
		return Number(rows);
	};
	const headers = { 'Idempotency-Key': randomUUID() };
	const post = (sent: object) => call('POST', path(), { token: masterdata.officer, body: sent, headers });
	const before = await count();
	const [first, again] = await Promise.all([post(body), post(body)]);
	expect([first.status, again.status]).toEqual([201, 201]);
	expect(again.data).toEqual(first.data);
	expect(await count()).toBe(before + 1);
	const changed = await post({ ...body, ...other });
	expect([changed.status, changed.data.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
	expect(await count()).toBe(before + 1);
});
