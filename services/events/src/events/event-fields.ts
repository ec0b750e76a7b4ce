import { demoClubs, demoVenues } from '@paddock/demo';
import { day, id, identifier, instant, line, nullableParagraphs, uniqueItems } from '@paddock/service';
import { z } from 'zod';
import { disciplines, officialRoles, rulesets } from '../enumerations.ts';

const centsMax = 1_000_000;

/** An amount of money. */
export const cents = z.int().min(0).max(centsMax).describe('Amount in cents.');

export const currency = z.literal('EUR').meta({ id: 'Currency', description: 'ISO 4217.' });

export const discipline = z
	.enum(disciplines)
	.meta({ id: 'Discipline', description: 'Discipline of equestrian sport.' });

export const ruleset = z
	.enum(rulesets)
	.meta({ id: 'Ruleset', description: 'OETO: the Austrian tournament rules; FEI: the international ones.' });

/** Offered disciplines, each at most once. */
const disciplineList = uniqueItems(
	z.array(discipline).min(1, 'must name at least one discipline').max(disciplines.length),
	'must name each discipline once',
).describe('Disciplines of the competitions.');

const fees = z
	.strictObject({
		entryFee: cents.default(0).describe('Fee per entry, in cents.'),
		lateSurcharge: cents.default(0).describe('Surcharge of a late entry, in cents.'),
		stable: cents.default(0).describe('Fee per box, in cents; paid at the show.'),
		currency: currency.default('EUR'),
	})
	.meta({ id: 'EventFees', description: 'Fees of an event.' });

export const officialRole = z
	.enum(officialRoles)
	.meta({ id: 'OfficialRole', description: 'Function of an official.' });

const official = z
	.strictObject({
		role: officialRole,
		name: line(1, 120).describe('Full name.'),
		memberId: id
			.nullable()
			.default(null)
			.describe('UUID of the member; null for an official who is not a member.'),
	})
	.meta({ id: 'EventOfficial', description: 'One official of an event.' });

export const eventNumber = identifier([['\\d', 5]], {
	message: 'must be five digits',
	description: 'Number of the event: five digits, unique.',
});

/** Fields that are the same in requests and responses. */
export const eventFields = {
	name: line(1, 120).describe('Name of the event.'),
	description: nullableParagraphs(10_000).describe('Announcement as plain text; null if there is none.'),
	startDate: day.describe('First day, in the time zone of the venue.'),
	endDate: day.describe('Last day, in the time zone of the venue; at most 14 days in all.'),
	venueId: id.describe('UUID of the venue, an active one.'),
	organiserClubId: id.describe('UUID of the organising club, an active one.'),
	ruleset,
	category: z.string().max(20).describe('Category: national such as CSN-B or CDN-A*, FEI such as CSI3*-W.'),
	disciplines: disciplineList,
	isPublic: z.boolean().describe('Whether it is shown without a sign-in once it is published.'),
	entriesOpenAt: instant.nullable().describe('First instant for entries; null = from the publication on.'),
	entryDeadline: instant.nullable().describe('Last instant for entries; null in drafts only.'),
	lateEntryUntil: instant
		.nullable()
		.describe('Last instant for late entries by the organiser, for the surcharge; null = none.'),
	maxEntries: z.int().min(1).max(10_000).nullable().describe('Largest number of entries; null = no limit.'),
	fees,
	officials: z.array(official).max(100).describe('Officials of the event.'),
};

/** Example values of the fields. They work with the demo data. */
export const eventExample = {
	name: 'Herbstturnier Auwiesen',
	description: 'Springen und Dressur für alle Klassen.',
	startDate: '2030-10-18',
	endDate: '2030-10-20',
	venueId: demoVenues.auwiesen.id,
	organiserClubId: demoClubs.auwiesen.id,
	ruleset: 'OETO' as const,
	category: 'CSN-B',
	disciplines: ['JUMPING' as const, 'DRESSAGE' as const],
	isPublic: true,
	entriesOpenAt: '2030-09-01T06:00:00.000Z',
	entryDeadline: '2030-10-07T21:59:00.000Z',
	lateEntryUntil: '2030-10-14T21:59:00.000Z',
	maxEntries: 120,
	fees: { entryFee: 2500, lateSurcharge: 1500, stable: 9000, currency: 'EUR' as const },
	officials: [{ role: 'JUDGE' as const, name: 'Renate Richterin', memberId: null }],
};
