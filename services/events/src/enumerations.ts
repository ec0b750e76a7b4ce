import { z } from 'zod';

export const rulesets = ['OETO', 'FEI'] as const;

export type Ruleset = (typeof rulesets)[number];

export const disciplines = [
	'DRESSAGE',
	'JUMPING',
	'EVENTING',
	'DRIVING',
	'ENDURANCE',
	'VAULTING',
	'REINING',
	'WESTERN',
	'WORKING_EQUITATION',
	'PARA_DRESSAGE',
	'ICELANDIC',
] as const;

export type Discipline = (typeof disciplines)[number];

/** Currencies of amounts (ISO 4217): those of Europe with hundredths, and of countries with series of the FEI. */
export const currencies = [
	'EUR',
	'CHF',
	'CZK',
	'DKK',
	'GBP',
	'HUF',
	'NOK',
	'PLN',
	'RON',
	'RSD',
	'SEK',
	'TRY',
	'UAH',
	'AED',
	'AUD',
	'BRL',
	'CAD',
	'MXN',
	'NZD',
	'QAR',
	'SAR',
	'USD',
	'ZAR',
] as const;

export type Currency = (typeof currencies)[number];

/** Roles of officials in an announcement (OeTO part A, officials; FEI General Regulations, chapter on officials). */
export const officialRoles = [
	'SHOW_DIRECTOR',
	'JUDGE',
	'COURSE_DESIGNER',
	'STEWARD',
	'TECHNICAL_DELEGATE',
	'VETERINARIAN',
	'FARRIER',
	'DOCTOR',
	'SHOW_OFFICE',
	'OTHER',
] as const;

export type StoredStatus = 'DRAFT' | 'PUBLISHED' | 'COMPLETED' | 'CANCELLED';

export type ApprovalState = 'SUBMITTED' | 'RETURNED';

/** Steps that users take, named by the resulting status; DRAFT: the organiser recalls a submission. */
export type EventStep = StoredStatus | ApprovalState;

/** Effective statuses, derived from the stored one and the clock, so that entries close without a step. */
export const eventStatuses = [
	'DRAFT',
	'SUBMITTED',
	'RETURNED',
	'PUBLISHED',
	'REGISTRATION_OPEN',
	'REGISTRATION_CLOSED',
	'IN_PROGRESS',
	'COMPLETED',
	'CANCELLED',
] as const;

export type EventStatus = (typeof eventStatuses)[number];

export const entryWindows = ['NOT_YET', 'REGULAR', 'LATE', 'CLOSED'] as const;

export type EntryWindow = (typeof entryWindows)[number];

export const entryTypes = ['REGULAR', 'LATE'] as const;

export type EntryType = (typeof entryTypes)[number];

/** They count for the limits and block the deletion of rider and horse, which an unconfirmed entry must not. */
export const openStatuses = ['ACCEPTED', 'WAITLISTED'] as const;

/** PENDING_CONFIRMATION: no place, no position and no amount due before the missing side confirms. */
export const unendedStatuses = [...openStatuses, 'PENDING_CONFIRMATION'] as const;

/** As stored: ACCEPTED or WAITLISTED at once, unless a confirmation is needed. DECLINED: the missing side refused it. */
export type EntryStatus =
	| (typeof unendedStatuses)[number]
	| 'REJECTED'
	| 'WITHDRAWN'
	| 'DECLINED'
	| 'CANCELLED';

/** Effective statuses. EXPIRED by the clock: not confirmed in time, or still waiting at the end of the event. */
export const shownEntryStatuses = [
	'PENDING_CONFIRMATION',
	'ACCEPTED',
	'WAITLISTED',
	'REJECTED',
	'WITHDRAWN',
	'DECLINED',
	'CANCELLED',
	'EXPIRED',
] as const satisfies readonly (EntryStatus | 'EXPIRED')[];

export type ShownEntryStatus = (typeof shownEntryStatuses)[number];

/** The sides of an entry; it counts once both agree. */
export const entrySides = ['RIDER', 'HORSE'] as const;

export type EntrySide = (typeof entrySides)[number];

export const entryActs = [
	'ENTERED',
	'CONFIRMED',
	'CHANGED',
	'SWAPPED',
	'WITHDRAWN',
	'DECLINED',
	'REJECTED',
] as const;

export type EntryAct = (typeof entryActs)[number];

/** Capacities in which people act on an entry. HORSE: an owner or the person responsible for the horse. */
export const actingAs = [
	'RIDER',
	'GUARDIAN',
	'CLUB_CONTACT',
	'HORSE',
	'CLUB_OFFICIAL',
	'ORGANISER',
	'OFFICE',
] as const;

export type ActingAs = (typeof actingAs)[number];

export const ledgerKinds = ['ENTRY', 'START', 'LATE', 'SWAP', 'BOX', 'REFUND'] as const;

export type LedgerKind = (typeof ledgerKinds)[number];

/** Codes of findings about an entry that are no rules of the federation; rules/ has the others. */
export const systemCheckCodes = [
	'EVENT_NOT_OPEN',
	'LATE_ONLY_BY_ORGANISER',
	'CONFIRMATION_PENDING',
	'RIDER_UNKNOWN',
	'RIDER_NOT_ACTIVE',
	'HORSE_UNKNOWN',
	'HORSE_NOT_ACTIVE',
	'COMPETITION_UNKNOWN',
	'COMPETITION_CANCELLED',
	'COMPETITION_OVER',
	'FEE_UNPAID',
	'RIDER_NOT_ELIGIBLE',
	'HORSE_NOT_ELIGIBLE',
	'DATE_CHANGED',
	'NOT_RECHECKED',
] as const;

const competitionKinds = [
	'STANDARD',
	'STYLE',
	'YOUNG_HORSE',
	'RIDING_HORSE',
	'SUITABILITY',
	'INTRODUCTORY',
	'LICENCE_FREE',
	'POWER_AND_SKILL',
	'TEAM',
] as const;

export type CompetitionKind = (typeof competitionKinds)[number];

export const competitionKind = z.enum(competitionKinds).meta({
	id: 'CompetitionKind',
	description:
		'Kinds that the rules treat differently. YOUNG_HORSE: for young horses (OeTO §100.5, §200.6); RIDING_HORSE, SUITABILITY: §1102, §1103; INTRODUCTORY: Einlauf, counts for no class range; LICENCE_FREE: §801; POWER_AND_SKILL: Mächtigkeit, Barrieren. TEAM, several riders, drivers or horses at a start, is refused: entries have one of each.',
});
