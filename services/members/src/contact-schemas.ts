import {
	id,
	iso3166Part2,
	isoAlpha2,
	line,
	nullableEmailAddress,
	nullableLine,
	renamed,
	whenValid,
} from '@paddock/service';
import { phoneNumber } from '@paddock/service/phone-number';
import { z } from 'zod';

export const phone = phoneNumber.nullable().meta({
	type: 'string',
	maxLength: 40,
	nullable: true,
	description:
		'Phone number as people write it; without a country code it is Austrian. Stored in E.164; null if unknown.',
});

const addressFields = {
	street: nullableLine(200).default(null).describe('Street and number; null if unknown.'),
	postalCode: nullableLine(12).default(null).describe('Postal code of that country; null if unknown.'),
	city: line(1, 100).describe('City or municipality.'),
	countryCode: isoAlpha2.default('AT').describe('Country, ISO 3166-1 alpha-2; AT if absent.'),
};

/** Postal address of a club. Its state is a field of the club. */
export const clubAddress = z.strictObject(addressFields).meta({
	id: 'ClubAddress',
	description: 'Postal address of a club; null if unknown.',
	example: { street: 'Koppelweg 1', postalCode: '3100', city: 'Musterau', countryCode: 'AT' },
});

export const address = z
	.strictObject({
		...addressFields,
		stateCode: iso3166Part2.nullable().default(null).describe('ISO 3166-2 of a state of that country.'),
	})
	.refine(({ stateCode, countryCode }) => stateCode === null || stateCode.startsWith(`${countryCode}-`), {
		path: ['stateCode'],
		params: { code: 'INVALID_REFERENCE' },
		message: 'is not a state of that country',
		when: whenValid('stateCode', 'countryCode'),
	})
	.meta({
		id: 'MemberAddress',
		description: 'Postal address of a member; null if unknown.',
		example: {
			street: 'Koppelweg 1',
			postalCode: '3499',
			city: 'Auwiesen an der Furt',
			countryCode: 'AT',
			stateCode: 'AT-3',
		},
	});

export const guardian = z
	.strictObject({
		name: line(1, 200).describe('Full name.'),
		relationship: line(1, 60).describe('Relationship to the member, such as mother.'),
		phoneNumber: renamed(phone.default(null), 'phone'),
		email: nullableEmailAddress.default(null),
		memberId: id
			.nullable()
			.default(null)
			.describe(
				'The guardian’s own member record: another member of full age. Until the member is 18, the guardian reads the record and edits contact data and consents.',
			),
	})
	.meta({
		id: 'Guardian',
		description: 'Legal guardian of a member; required under 18, null otherwise if unknown.',
		example: {
			name: 'Maria Huber',
			relationship: 'mother',
			phoneNumber: '+436601234567',
			email: null,
			memberId: null,
		},
	});

export type Guardian = z.output<typeof guardian>;

export const emergencyContact = z
	.strictObject({
		name: line(1, 200).describe('Full name.'),
		relationship: nullableLine(60).default(null).describe('Relationship to the member; null if unknown.'),
		phoneNumber: renamed(phoneNumber, 'phone'),
	})
	.meta({
		id: 'EmergencyContact',
		description: 'Person to call in an emergency; null if unknown.',
		example: { name: 'Karl Huber', relationship: 'father', phoneNumber: '+436607654321' },
	});

export type EmergencyContact = z.output<typeof emergencyContact>;
