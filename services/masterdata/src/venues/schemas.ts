import { isTimeZone } from '@paddock/calendar';
import {
	bodyFields,
	collectionParameters,
	filterValues,
	id,
	iso3166Part2,
	isoAlpha2,
	line,
	nullableLine,
	queryBoolean,
	recordTimes,
	version,
	webAddress,
	whenValid,
} from '@paddock/service';
import { z } from 'zod';
import { countryCodeFilter } from '../codes.ts';

const address = z
	.strictObject({
		street: nullableLine(200).default(null).describe('Street and number; null if unknown.'),
		postalCode: nullableLine(12).default(null).describe('Postal code; null if unknown.'),
		city: line(1, 100).describe('City or municipality.'),
	})
	.meta({ id: 'VenueAddress', description: 'Postal address of a venue; null if unknown.' });

const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);
const stableBoxes = z.int().min(0).max(10_000);

const fields = {
	name: line(1, 120).describe('Name of the venue.'),
	address: address.nullable(),
	countryCode: isoAlpha2.describe('Country, ISO 3166-1 alpha-2.'),
	stateCode: iso3166Part2.nullable().describe('ISO 3166-2 of a state of that country.'),
	latitude: latitude.nullable().describe('Degrees north, WGS 84; null if unknown.'),
	longitude: longitude.nullable().describe('Degrees east, WGS 84; null if unknown.'),
	timeZone: z
		.string()
		.max(64)
		.refine(isTimeZone, 'must be a zone of the IANA time zone database such as Europe/Vienna')
		.describe('Zone of the IANA time zone database.'),
	website: webAddress.nullable().describe('Website; null if there is none.'),
	stableBoxes: stableBoxes.nullable().describe('Number of boxes for visiting horses; null if unknown.'),
	isActive: z.boolean().describe('Whether the venue is offered for choice.'),
};

const exampleTimes = { createdAt: '2026-01-15T08:30:00.000Z', updatedAt: '2026-03-02T17:05:12.000Z' };
const example = {
	name: 'Reitzentrum Musterau',
	address: { street: 'Koppelweg 1', postalCode: '3100', city: 'Musterau' },
	countryCode: 'AT',
	stateCode: 'AT-3',
	latitude: 48.2,
	longitude: 15.63,
	timeZone: 'Europe/Vienna',
	website: 'https://musterau.example.org',
	stableBoxes: 120,
	isActive: true,
};

export const venue = z.strictObject({ id, ...fields, ...recordTimes, version }).meta({
	id: 'Venue',
	description: 'A place where tournaments are held.',
	example: { id: '6f1c7c52-4f0a-4a57-9d4c-0e6a2b9d8c04', ...example, ...exampleTimes, version: 1 },
});

export type Venue = z.output<typeof venue>;

function together(missing: 'latitude' | 'longitude') {
	return {
		path: [missing],
		message: 'is required: latitude and longitude come together',
		params: { code: 'REQUIRED' },
		when: whenValid('latitude', 'longitude'),
	};
}

export const venueBody = z
	.strictObject(bodyFields(fields, { timeZone: 'Europe/Vienna', isActive: true }))
	.refine(({ latitude, longitude }) => latitude !== null || longitude === null, together('latitude'))
	.refine(({ latitude, longitude }) => longitude !== null || latitude === null, together('longitude'))
	.meta({ id: 'VenueBody', description: 'Writable fields of a venue.', example });

export type VenueBody = z.output<typeof venueBody>;

export const venueQuery = z.strictObject({
	countryCode: filterValues(countryCodeFilter).optional().describe('Venues in these countries.'),
	stateCode: filterValues(iso3166Part2).optional().describe('Venues in these states, ISO 3166-2.'),
	isActive: queryBoolean.optional().describe('Venues that are offered for choice, or all others.'),
	...collectionParameters({
		of: 'Venue',
		text: 'Part of the name or of the city; matches at the beginning come first.',
		sort: ['name', 'city', 'countryCode', 'stateCode', 'stableBoxes'],
	}),
});
