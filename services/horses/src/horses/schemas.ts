import {
	day,
	id,
	isoAlpha2,
	line,
	nullableLine,
	nullableParagraphs,
	pageSchema,
	recordTimes,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { deathReport } from '../death/schemas.ts';
import { owner } from '../ownership/owner-schemas.ts';
import { federationHorseNumber, feiId, headNumber, microchip, ueln } from './identifiers.ts';
import { horseStatus, sex } from './words.ts';

const years = z.int().min(1900).max(2199);

/** Fields that a client writes and every signed-in caller reads. */
export const sportFields = {
	name: line(1, 60).describe('Registered name.'),
	sex,
	dateOfBirth: day.nullable().describe('Date of birth; null if only the year is known.'),
	breed: nullableLine(60).describe('Breed; null if unknown.'),
	studbook: nullableLine(60).describe('Studbook of the breed; null if unknown.'),
	colour: nullableLine(40).describe('Colour of the coat; null if unknown.'),
	heightCm: z
		.int()
		.min(60)
		.max(220)
		.nullable()
		.describe('Height at the withers in centimetres; null if not measured.'),
	isPony: z.boolean().describe('Whether it is a pony: at most 148 cm.'),
	countryOfBirth: isoAlpha2.nullable().describe('Country of birth, ISO 3166-1 alpha-2; null if unknown.'),
	ueln: ueln.nullableStored,
	microchip: microchip.nullableStored,
	federationHorseNumber: federationHorseNumber.nullableStored,
	headNumber: headNumber.nullableStored,
	feiId: feiId.nullableStored,
	passportNumber: nullableLine(30).describe('Number of the passport; null if unknown.'),
	passportIssuer: nullableLine(100).describe('Body that issued the passport; null if unknown.'),
	sireId: id.nullable().describe('UUID of the sire in this registry; null if it is not registered.'),
	sireName: nullableLine(60),
	damId: id.nullable().describe('UUID of the dam in this registry; null if it is not registered.'),
	damName: nullableLine(60).describe('Name of the dam; null if unknown.'),
	damSireName: nullableLine(60),
	clubId: id.nullable().describe('UUID of the club that the horse starts for; null without one.'),
};

/** Fields that a client writes, visible only to callers who are entrusted with the horse. */
export const privateFields = {
	breederName: nullableLine(100).describe('Name of the breeder; null if unknown.'),
	responsibleMemberId: id
		.nullable()
		.describe('UUID of the member responsible for the horse; null if it is the owner.'),
	feePaidForYear: years
		.nullable()
		.describe('Last year with a paid fee; null if there is none. Written by the office.'),
	notes: nullableParagraphs(4_000).describe('Free text; null if there is none.'),
};

const sportShape = {
	id,
	view: z
		.enum(['FULL', 'SPORT', 'GUEST'])
		.meta({ id: 'HorseViewKind', description: 'Which view of the horse this is; smaller ones lack fields.' }),
	...sportFields,
	birthYear: years.describe('Year of birth.'),
	sireName: sportFields.sireName.describe(
		'Name of the sire, that of its record if it is registered; null if unknown.',
	),
	damSireName: sportFields.damSireName.describe(
		'Name of the dam’s sire, from the dam’s record if that has it; null if unknown.',
	),
	registeredOn: day.describe('Day of the registration.'),
	status: horseStatus,
	dateOfDeath: day.nullable().describe('Day of the death; null unless the status is DECEASED.'),
	...recordTimes,
	version,
};

const sportExample = {
	id: '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80',
	view: 'SPORT' as const,
	name: 'Federleicht',
	sex: 'MARE',
	dateOfBirth: '2016-04-21',
	breed: 'Österreichisches Warmblut',
	studbook: 'AWÖ',
	colour: 'Fuchs',
	heightCm: 166,
	isPony: false,
	countryOfBirth: 'AT',
	ueln: '040DEM000000901',
	microchip: '999040000000901',
	federationHorseNumber: '9990000901',
	headNumber: 'F901',
	feiId: null,
	passportNumber: null,
	passportIssuer: null,
	sireId: null,
	sireName: 'Windspiel',
	damId: null,
	damName: 'Feder',
	damSireName: 'Nordlicht',
	clubId: null,
	birthYear: 2016,
	registeredOn: '2019-03-01',
	status: 'ACTIVE',
	dateOfDeath: null,
	createdAt: '2026-03-01T08:15:00.000Z',
	updatedAt: '2026-03-01T08:15:00.000Z',
	version: 1,
};

export const sportHorse = z.strictObject(sportShape).meta({
	id: 'SportHorse',
	extends: 'GuestHorse',
	description:
		'The sport view of a horse for signed-in callers: without owners, responsible person, breeder, fee, reason of the status and notes.',
	example: sportExample,
});

const identifiers = { ueln: true, microchip: true, passportNumber: true } as const;
const { ueln: _ueln, microchip: _microchip, passportNumber: _passportNumber, ...guestExample } = sportExample;

export const guestHorse = sportHorse.omit(identifiers).meta({
	id: 'GuestHorse',
	description:
		'The guest view of a horse, for accounts with neither a member nor a role beyond MEMBER: the sport view without UELN, microchip and passport number.',
	example: { ...guestExample, view: 'GUEST' },
});

export const horse = z
	.strictObject({
		...sportShape,
		...privateFields,
		deathReport: deathReport.nullable(),
		owners: z.array(owner).describe('Present owners; they change by a transfer only.'),
		statusReason: nullableLine(200).describe('Reason of the status; null without one.'),
	})
	.meta({
		id: 'Horse',
		extends: 'SportHorse',
		description:
			'The complete record of a horse, for the office, its present owners, its responsible person and officials of its club.',
		example: {
			...sportExample,
			view: 'FULL',
			breederName: 'Gestüt Federbusch',
			responsibleMemberId: null,
			feePaidForYear: 2026,
			notes: null,
			owners: [
				{
					memberId: null,
					externalParty: { name: 'Stall Federbusch', countryCode: 'DE' },
					sharePercent: null,
				},
			],
			statusReason: null,
			deathReport: null,
		},
	});

export type Horse = z.output<typeof horse>;

export const horseView = z.union([horse, sportHorse, guestHorse]).meta({
	id: 'HorseView',
	description:
		'The whole record for those who are entrusted with the horse, the sport view for other members, officials and organisers, the guest view for accounts without a member. Smaller views lack properties: see `SportHorse` and `GuestHorse`.',
	example: sportExample,
});

export type HorseView = z.output<typeof horseView>;

export const horsePage = pageSchema(horseView).meta({ id: 'HorsePage' });
