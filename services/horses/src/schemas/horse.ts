import {
	day,
	id,
	instant,
	isoAlpha2,
	line,
	nullableLine,
	pageSchema,
	paragraphs,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { horseStatuses } from '../horse-status.ts';
import { sexes } from '../parent-rules.ts';
import { deathReport } from './death.ts';
import { federationHorseNumber, feiId, headNumber, microchip, ueln } from './identifiers.ts';
import { owner } from './owner.ts';

const years = z.int().min(1900).max(2199);

/** Fields that a client writes and every signed-in caller reads. */
export const sportFields = {
	name: line(1, 60),
	sex: z.enum(sexes),
	dateOfBirth: day.nullable().describe('Null where only the year is known.'),
	breed: nullableLine(1, 60),
	studbook: nullableLine(1, 60),
	colour: nullableLine(1, 40),
	heightCm: z.int().min(60).max(220).nullable().describe('At the withers.'),
	isPony: z.boolean().describe('A pony stands 148 cm at most.'),
	countryOfBirth: isoAlpha2.nullable().describe('ISO 3166-1 alpha-2.'),
	ueln,
	microchip,
	federationHorseNumber,
	headNumber,
	feiId,
	passportNumber: nullableLine(1, 30),
	passportIssuer: nullableLine(1, 100),
	sireId: id.nullable().describe('The sire in this registry.'),
	sireName: nullableLine(1, 60),
	damId: id.nullable().describe('The dam in this registry.'),
	damName: nullableLine(1, 60),
	damSireName: nullableLine(1, 60),
	clubId: id.nullable().describe('The club that the horse starts for.'),
};

/** Fields that a client writes, visible only to callers who are entrusted with the horse. */
export const privateFields = {
	breederName: nullableLine(1, 100),
	responsibleMemberId: id.nullable().describe('The member responsible for the horse.'),
	feePaidForYear: years.nullable().describe('The last year whose fee is paid. The office writes it.'),
	notes: paragraphs(1, 4_000)
		.nullable()
		.meta({ type: 'string', minLength: 1, maxLength: 4_000, nullable: true }),
};

const sportShape = {
	id,
	...sportFields,
	birthYear: years,
	sireName: sportFields.sireName.describe('Of a linked sire it is the name that he is registered by.'),
	damSireName: sportFields.damSireName.describe('From the dam’s own record where it has one.'),
	registeredOn: day,
	status: z.enum(horseStatuses).describe('INACTIVE: removed from the registry.'),
	dateOfDeath: day.nullable(),
	createdAt: instant,
	updatedAt: instant,
	version,
};

const sportExample = {
	id: '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80',
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

/** A horse as signed-in callers see it: the data of start lists and results, without people. */
export const sportHorse = z.strictObject(sportShape).meta({
	id: 'SportHorse',
	description:
		'A horse as signed-in callers see it. Owners, the responsible person, the breeder, the fee, the reason of its status and notes are left out.',
	example: sportExample,
});

export type SportHorse = z.output<typeof sportHorse>;

const identifiers = { ueln: true, microchip: true, passportNumber: true } as const;
const { ueln: _ueln, microchip: _microchip, passportNumber: _passportNumber, ...guestExample } = sportExample;

/** A horse as accounts without a member and without a further role see it. */
export const guestHorse = sportHorse.omit(identifiers).meta({
	id: 'GuestHorse',
	description:
		'A horse as an account sees it that is linked to no member and has no role but MEMBER: the sport view without UELN, microchip and passport number.',
	example: guestExample,
});

/** The complete record of a horse. */
export const horse = z
	.strictObject({
		...sportShape,
		...privateFields,
		deathReport: deathReport
			.nullable()
			.describe('A reported death that the office has neither confirmed nor rejected.'),
		owners: z.array(owner).describe('Of today; they change by a transfer only.'),
		statusReason: nullableLine(1, 200),
	})
	.meta({
		id: 'Horse',
		description:
			'All that is kept of a horse: for the office, for its owners of today, its responsible person, and officials of its club.',
		example: {
			...sportExample,
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

/** A horse as the caller may see it, the same in every list and record. */
export const horseView = z.union([horse, sportHorse, guestHorse]).meta({
	id: 'HorseView',
	description:
		'The whole record for those who are entrusted with the horse, the sport view for other members, officials and organisers, the guest view for accounts without a member.',
	example: sportExample,
});

export type HorseView = z.output<typeof horseView>;

export const horsePage = pageSchema(horseView).meta({ id: 'HorsePage' });
