import { yearOf } from '@paddock/calendar';
import type { FieldErrorCode } from '@paddock/contract';
import { bodyFields, day, id, renamed, uniqueItems, whenValid } from '@paddock/service';
import { z } from 'zod';
import { ownersBody } from '../ownership/owner-schemas.ts';
import type { Birth } from '../pedigree/rules.ts';
import { federationHorseNumber, feiId, headNumber, microchip, ueln } from './identifiers.ts';
import { type Horse, privateFields, sportFields } from './schemas.ts';

const ponyHeightCmMax = 148;

/** Numbers and fees that only the federation's office writes. Without a default: see `officeValues`. */
export const officeFields = ['federationHorseNumber', 'headNumber', 'feiId', 'feePaidForYear'] as const;

function officeField<Schema extends z.ZodType>(schema: Schema) {
	const { description = '' } = schema;
	return schema
		.optional()
		.describe(`${description} From other callers it must be left out or equal the stored value.`);
}

const sport = bodyFields(sportFields, { isPony: false });

const written = {
	...sport,
	birthYear: z
		.int()
		.min(1900)
		.max(2199)
		.nullable()
		.default(null)
		.describe('Year of birth; required without dateOfBirth, else it must be its year or absent.'),
	ueln: ueln.nullableWritten.default(null),
	microchip: microchip.nullableWritten.default(null),
	federationHorseNumber: officeField(federationHorseNumber.nullableWritten),
	headNumber: officeField(headNumber.nullableWritten),
	feiId: officeField(feiId.nullableWritten),
	sireName: sport.sireName.describe('Name of the sire; ignored with sireId.'),
	damName: sport.damName.describe('Name of the dam; ignored with damId.'),
	damSireName: sport.damSireName.describe(
		'Name of the dam’s sire; ignored if the linked dam’s own record has it.',
	),
	...bodyFields(privateFields),
	feePaidForYear: officeField(privateFields.feePaidForYear),
};

interface Measures {
	dateOfBirth: string | null;
	birthYear: number | null;
	isPony: boolean;
	heightCm: number | null;
}

function refusal(field: keyof Measures, code: FieldErrorCode, message: string) {
	const isOfBirth = field === 'dateOfBirth' || field === 'birthYear';
	const when = isOfBirth ? whenValid('dateOfBirth', 'birthYear') : whenValid('isPony', 'heightCm');
	return { path: [field], message, params: { code }, when };
}

function consistent<Schema extends z.ZodType<Measures>>(schema: Schema): Schema {
	return schema
		.refine(
			({ dateOfBirth, birthYear }) => dateOfBirth !== null || birthYear !== null,
			refusal('dateOfBirth', 'REQUIRED', 'is required, or else birthYear'),
		)
		.refine(
			({ dateOfBirth, birthYear }) =>
				dateOfBirth === null || birthYear === null || yearOf(dateOfBirth) === birthYear,
			refusal('birthYear', 'INVALID_RANGE', 'must be the year of dateOfBirth'),
		)
		.refine(
			({ isPony, heightCm }) => !isPony || heightCm !== null,
			refusal('heightCm', 'REQUIRED', 'is required for a pony'),
		)
		.refine(
			({ isPony, heightCm }) => !isPony || heightCm === null || heightCm <= ponyHeightCmMax,
			refusal('heightCm', 'INVALID_RANGE', `must be at most ${ponyHeightCmMax} for a pony`),
		);
}

// Identified by its passport: UELN and microchip are unique, and an example may be sent any number of times.
const example = {
	name: 'Federleicht',
	sex: 'MARE',
	dateOfBirth: '2016-04-21',
	breed: 'Österreichisches Warmblut',
	studbook: 'AWÖ',
	colour: 'Fuchs',
	heightCm: 166,
	countryOfBirth: 'AT',
	passportNumber: 'AWÖ 2016-0421',
	passportIssuer: 'AWÖ',
	sireName: 'Windspiel',
	damName: 'Feder',
	damSireName: 'Nordlicht',
	breederName: 'Gestüt Federbusch',
};

export const horseBody = consistent(z.strictObject(written)).meta({
	id: 'HorseBody',
	description: 'Writable fields of a horse.',
	example,
});

export type HorseBody = z.output<typeof horseBody>;

export type OfficeValues = Pick<Horse, (typeof officeFields)[number]>;

export type WrittenHorse = Omit<HorseBody, keyof OfficeValues | keyof Birth> & OfficeValues & Birth;

export const horseRegistration = consistent(
	z.strictObject({
		...written,
		registeredOn: day
			.optional()
			.describe('Day of the registration, on which the first ownership begins; today in Vienna if absent.'),
		dateOfDeath: day
			.nullable()
			.default(null)
			.describe(
				'Day of death of an ancestor that is recorded for its offspring, the last day of the year if only that is known; the record is DECEASED and its birth may be more than 45 years ago. Written by the office; null for a living horse.',
			),
		owners: ownersBody,
	}),
).meta({
	id: 'HorseRegistration',
	description: 'A horse to register, with its owners.',
	example: { ...example, owners: [{ externalParty: { name: 'Stall Federbusch', countryCode: 'DE' } }] },
});

export type HorseRegistration = z.output<typeof horseRegistration>;

const horseIdsMax = 50;
const deletedExample = 'd3000000-0000-4000-8000-000000000013';

export const deleteHorsesBody = z
	.strictObject({
		horseIds: uniqueItems(z.array(id).min(1).max(horseIdsMax), 'must not be repeated').describe(
			'UUIDs of the horses.',
		),
	})
	.meta({
		id: 'DeleteHorsesBody',
		description: 'Horses to delete.',
		example: { horseIds: [deletedExample] },
	});

const horseRefusal = z
	.strictObject({
		id: id.describe('UUID of the horse.'),
		code: z.string().describe('Error code, one of those of `DELETE /api/horses/{id}`.'),
		message: z.string().describe('Reason, for people.'),
	})
	.meta({ id: 'HorseRefusal', description: 'A horse that was not deleted, with the reason.' });

export const deletedHorses = z
	.strictObject({
		deleted: renamed(z.array(id).describe('UUIDs of the horses that are deleted now.'), 'removed'),
		refused: z.array(horseRefusal).describe('Horses that were not deleted.'),
	})
	.meta({
		id: 'DeletedHorses',
		description: 'The outcome for each horse.',
		example: { deleted: [deletedExample], refused: [] },
	});

export type DeletedHorses = z.output<typeof deletedHorses>;
