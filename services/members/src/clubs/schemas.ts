import {
	bodyFields,
	collectionParameters,
	filterValues,
	id,
	iso3166Part2,
	line,
	nullableEmailAddress,
	nullableLine,
	recordTimes,
	version,
	webAddress,
} from '@paddock/service';
import { z } from 'zod';
import { clubNumber } from '../codes.ts';
import { clubAddress } from '../contact-schemas.ts';

export const clubStatus = z
	.enum(['ACTIVE', 'INACTIVE'])
	.meta({ id: 'ClubStatus', description: 'An INACTIVE club accepts no new members.' });

const fields = {
	clubNumber: clubNumber.stored,
	name: line(1, 120).describe('Full name.'),
	shortName: nullableLine(40).describe('Short name for lists; null if there is none.'),
	stateCode: iso3166Part2
		.nullable()
		.describe('ISO 3166-2 of the state whose association the club belongs to.'),
	address: clubAddress.nullable(),
	email: nullableEmailAddress.describe('E-mail address of the office; null if none is known.'),
	website: webAddress.nullable().describe('Website; null if there is none.'),
	status: clubStatus,
};

const exampleTimes = { createdAt: '2026-01-15T08:30:00.000Z', updatedAt: '2026-03-02T17:05:12.000Z' };
const example = {
	clubNumber: '3104',
	name: 'Reitverein Musterau',
	shortName: 'RV Musterau',
	stateCode: 'AT-3',
	address: { street: 'Koppelweg 1', postalCode: '3100', city: 'Musterau', countryCode: 'AT' },
	email: 'office@musterau.example.org',
	website: 'https://musterau.example.org',
	status: 'ACTIVE' as const,
};

export const club = z.strictObject({ id, ...fields, ...recordTimes, version }).meta({
	id: 'Club',
	description: 'A riding club of the federation.',
	example: { id: 'c5a0b1d2-3e4f-4a5b-8c6d-7e8f9a0b1c2d', ...example, ...exampleTimes, version: 1 },
});

export type Club = z.output<typeof club>;

export const clubBody = z
	.strictObject(bodyFields({ ...fields, clubNumber: clubNumber.written }, { status: 'ACTIVE' }))
	.meta({
		id: 'ClubBody',
		description: 'Writable fields of a club.',
		example,
		'x-fresh-example': { clubNumber: '3###' },
	});

export type ClubBody = z.output<typeof clubBody>;

export const clubQuery = z.strictObject({
	status: filterValues(clubStatus).optional().describe('Clubs in this status.'),
	stateCode: filterValues(iso3166Part2).optional().describe('Clubs of these state associations, ISO 3166-2.'),
	...collectionParameters({
		of: 'Club',
		text: 'Part of a name or of the number; matches at the beginning come first.',
		sort: ['name', 'clubNumber', 'stateCode'],
	}),
});
