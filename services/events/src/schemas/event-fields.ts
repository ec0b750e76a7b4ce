import { day, id, instant, line, paragraphs, uniqueItems } from '@paddock/service';
import { z } from 'zod';
import { disciplines } from '../disciplines.ts';
import { officialRoles } from '../official-roles.ts';
import { rulesets } from '../rulesets.ts';

const centsMax = 1_000_000;

/** An amount of money. */
export const cents = z.int().min(0).max(centsMax).describe('Cents.');

export const discipline = z.enum(disciplines, `must be one of ${disciplines.join(', ')}`);

export const ruleset = z.enum(rulesets, `must be one of ${rulesets.join(', ')}`);

/** Offered disciplines, each at most once. */
const disciplineList = uniqueItems(
	z.array(discipline).min(1, 'must name at least one discipline').max(disciplines.length),
	'must name each discipline once',
);

const fees = z
	.strictObject({
		entryFee: cents.default(0).describe('For each entry, in cents.'),
		lateSurcharge: cents.default(0).describe('For a late entry on top, in cents.'),
		stable: cents.default(0).describe('For a box, in cents; paid at the show.'),
		currency: z.literal('EUR').default('EUR'),
	})
	.meta({ id: 'EventFees' });

const official = z
	.strictObject({
		role: z.enum(officialRoles, `must be one of ${officialRoles.join(', ')}`),
		name: line(1, 120),
		memberId: id.nullable().default(null).describe('Where the official is a member of the federation.'),
	})
	.meta({ id: 'EventOfficial' });

export const eventNumber = z.string().regex(/^\d{5}$/, 'must be five digits');

/** Fields that are the same in requests and responses. */
export const eventFields = {
	name: line(1, 120),
	description: paragraphs(1, 10_000)
		.nullable()
		.meta({ type: 'string', minLength: 1, maxLength: 10_000, nullable: true }),
	startDate: day.describe('At the venue.'),
	endDate: day.describe('At the venue; an event lasts at most 14 days.'),
	venueId: id.describe('A venue of the master data that is in use.'),
	organiserClubId: id.describe('An active club.'),
	ruleset,
	category: z.string().max(20).describe('National such as CSN-B, CDN-A*; FEI such as CSI3*-W.'),
	disciplines: disciplineList,
	isPublic: z.boolean().describe('Whether it is shown without a sign-in once it is published.'),
	entriesOpenAt: instant.nullable().describe('Null = from the publication on.'),
	entryDeadline: instant.nullable().describe('The last instant for entries; needed for the publication.'),
	lateEntryUntil: instant
		.nullable()
		.describe('Until then the organiser takes late entries, for the surcharge; null = none.'),
	maxEntries: z.int().min(1).max(10_000).nullable().describe('Null = without limit.'),
	fees,
	officials: z.array(official).max(100),
};

/** Example values of the fields. */
export const eventExample = {
	name: 'Herbstturnier Musterau',
	description: 'Springen und Dressur für alle Klassen.',
	startDate: '2026-10-23',
	endDate: '2026-10-25',
	venueId: '6f1c7c52-4f0a-4a57-9d4c-0e6a2b9d8c04',
	organiserClubId: '0c5d2c3e-64b5-4f5b-9a0e-0a4f5d6c7b01',
	ruleset: 'OETO' as const,
	category: 'CSN-B',
	disciplines: ['JUMPING' as const, 'DRESSAGE' as const],
	isPublic: true,
	entriesOpenAt: '2026-09-01T06:00:00.000Z',
	entryDeadline: '2026-10-12T21:59:00.000Z',
	lateEntryUntil: '2026-10-19T21:59:00.000Z',
	maxEntries: 120,
	fees: { entryFee: 2500, lateSurcharge: 1500, stable: 9000, currency: 'EUR' as const },
	officials: [{ role: 'JUDGE' as const, name: 'Renate Richterin', memberId: null }],
};
