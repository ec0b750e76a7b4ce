// One file, as it is a step of each entry: the mails about a new or confirmed entry, and what all mails about entries share.

import { dayIn, fullAgeYears, yearOf } from '@paddock/calendar';
import { requestMail } from '@paddock/context';
import type { Principal } from '@paddock/identity';
import type { Jobs } from '@paddock/jobs';
import {
	dayRangeText,
	defineMail,
	instantText,
	type Language,
	type MailDeclaration,
	type MailRecipient,
} from '@paddock/mail';
import type {
	EntryRow,
	EventRow,
	EventsQueryable,
	EventsSchema,
	JudgedBy,
	NewEntryRow,
} from '../database-schema.ts';
import type { EntryStatus } from '../enumerations.ts';
import { agreedSides, guardianOn, missingSides } from './rights/sides.ts';

export interface EntryFacts {
	readonly eventName: string;
	readonly startDate: string;
	readonly endDate: string;
	readonly entryNumber: string;
	/** Undefined for recipients who may not read it, see `riderShownTo`. */
	readonly rider?: string | undefined;
	readonly horse: string;
}

export const example: EntryFacts = {
	eventName: 'Herbstturnier Auwiesen',
	startDate: '2026-10-23',
	endDate: '2026-10-25',
	entryNumber: '12',
	rider: 'Lena Huber',
	horse: 'Fleur',
};

export const entries = { category: 'ENTRIES', canBeSwitchedOff: true } as const;
export const confirmation = { category: 'CONFIRMATION', canBeSwitchedOff: false } as const;

type Facts = [string, string][];

export function factsTable(
	language: Language,
	{ eventName, startDate, endDate, ...entry }: EntryFacts,
	more: Facts = [],
) {
	const isGerman = language === 'de';
	const days = dayRangeText(startDate, endDate, language);
	return {
		facts: [
			[isGerman ? 'Turnier' : 'Event', `${eventName}, ${days}`],
			...(entry.rider === undefined ? [] : [[isGerman ? 'Reiter/in' : 'Rider', entry.rider]]),
			[isGerman ? 'Pferd' : 'Horse', entry.horse],
			[isGerman ? 'Nennungsnummer' : 'Entry number', entry.entryNumber],
			...more,
		] as Facts,
	};
}

export const pairOf = ({ rider, horse }: Pick<EntryFacts, 'rider' | 'horse'>) =>
	rider === undefined ? horse : `${rider}, ${horse}`;
export const pairDe = ({ rider, horse }: EntryFacts) =>
	rider === undefined ? `mit ${horse}` : `von ${rider} mit ${horse}`;
export const pairEn = ({ rider, horse }: EntryFacts) =>
	rider === undefined ? `with ${horse}` : `of ${rider} with ${horse}`;

export interface Expiry {
	/** The last moment for the confirmation. */
	readonly until: Date;
	readonly timeZone: string;
}

export const expiry: Expiry = { until: new Date('2026-10-12T21:59:00Z'), timeZone: 'Europe/Vienna' };

/** To the side that has not agreed: the rider's, or the keepers of the horse. */
export const entryConfirmationWanted = defineMail<EntryFacts & Expiry>({
	...confirmation,
	name: 'entry-confirmation-wanted',
	example: { ...example, ...expiry },
	de: (data) => ({
		subject: `Bitte bestätigen: Nennung ${pairOf(data)}`,
		parts: [
			`eine Nennung ${pairDe(data)} braucht Ihre Bestätigung. Bis dahin hat sie keinen Startplatz. Bitte bestätigen Sie, oder lehnen Sie ab.`,
			factsTable('de', data, [['Bestätigung bis', instantText(data.until, 'de', data.timeZone)]]),
		],
	}),
	en: (data) => ({
		subject: `Please confirm: entry of ${pairOf(data)}`,
		parts: [
			`An entry ${pairEn(data)} needs your confirmation. It has no place before. Please confirm or decline.`,
			factsTable('en', data, [['To be confirmed by', instantText(data.until, 'en', data.timeZone)]]),
		],
	}),
});

export const entryAccepted = defineMail<EntryFacts>({
	...entries,
	name: 'entry-accepted',
	example,
	de: (data) => ({
		subject: `Nennung angenommen: ${pairOf(data)}`,
		parts: [`die Nennung ${pairDe(data)} ist angenommen.`, factsTable('de', data)],
	}),
	en: (data) => ({
		subject: `Entry accepted: ${pairOf(data)}`,
		parts: [`The entry ${pairEn(data)} is accepted.`, factsTable('en', data)],
	}),
});

export const entryWaitlisted = defineMail<EntryFacts & { readonly position: string }>({
	...entries,
	name: 'entry-waitlisted',
	example: { ...example, position: '3' },
	de: (data) => ({
		subject: `Auf der Warteliste: ${pairOf(data)}`,
		parts: [
			`für die Nennung ${pairDe(data)} ist noch kein Platz frei. Sie steht auf der Warteliste; wenn sie nachrückt, erfahren Sie es.`,
			factsTable('de', data, [['Platz auf der Warteliste', data.position]]),
		],
	}),
	en: (data) => ({
		subject: `On the waiting list: ${pairOf(data)}`,
		parts: [
			`There is no place yet for the entry ${pairEn(data)}. It is on the waiting list; you will hear from us once it gets a place.`,
			factsTable('en', data, [['Position on the waiting list', data.position]]),
		],
	}),
});

/** Undefined in a deployment without auth, which sends the mails. */
export type MailJobs = Pick<Jobs<EventsSchema>, 'enqueueAll'> | undefined;

/** The transaction of the change, and its author, who gets no mail; the service itself has none. */
export interface MailReason {
	readonly db: EventsQueryable;
	readonly jobs: MailJobs;
	readonly principal?: Pick<Principal, 'userId' | 'memberId'>;
	readonly now: Date;
}

export const toldColumns = [
	'entryNumber',
	'riderName',
	'horseName',
	'riderMemberId',
	'riderGuardianId',
	'horseKeeperIds',
	'judgedBy',
	'isConfirmed',
] as const satisfies readonly (keyof EntryRow)[];

export type ToldEntry = Pick<EntryRow, (typeof toldColumns)[number]>;

export type ToldEvent = Pick<EventRow, 'name' | 'startDate' | 'endDate'>;

/** Adds a mail, in one statement. */
export async function tell<Data extends object>(
	{ db: transaction, jobs, principal }: MailReason,
	mail: MailDeclaration<Data>,
	data: Data,
	recipients: readonly MailRecipient[],
	key?: string,
): Promise<void> {
	if (jobs !== undefined)
		await requestMail({ jobs, transaction }, mail, {
			data,
			recipients,
			exceptUserId: principal?.userId,
			key,
		});
}

/** As in `toEntry`: before the rider's side confirms, only that side reads who rides. */
function riderShownTo(recipient: MailRecipient, entry: ToldEntry, now: Date): string | undefined {
	const isRidersSide = 'memberId' in recipient && ridersSide(entry, now).includes(recipient.memberId);
	return entry.isConfirmed || isRidersSide ? entry.riderName : undefined;
}

/** The recipient of a mail that is about this entry, among others. */
export function withAbout<Recipient extends MailRecipient>(
	recipient: Recipient,
	entry: ToldEntry,
	now: Date,
): Recipient & { readonly about: string } {
	const { horseName: horse, entryNumber } = entry;
	const rider = riderShownTo(recipient, entry, now);
	return { ...recipient, about: `${pairOf({ rider, horse })} (${entryNumber})` };
}

/** Adds a mail about one entry; those who may not read the rider yet get one without. */
export async function tellOfEntry<Data extends EntryFacts>(
	reason: MailReason,
	mail: MailDeclaration<Data>,
	{ entry, data }: { readonly entry: ToldEntry; readonly data: Data },
	recipients: readonly MailRecipient[],
	key?: string,
): Promise<void> {
	const groups = Map.groupBy(recipients, (recipient) => riderShownTo(recipient, entry, reason.now));
	for (const [rider, group] of groups)
		await tell(reason, mail, { ...data, rider }, group, key && rider === undefined ? `${key} -` : key);
}

export function membersOf({ horseKeeperIds, ...rider }: ToldEntry, now: Date): readonly string[] {
	return [...new Set([...ridersSide(rider, now), ...horseKeeperIds])];
}

export function ridersSide(rider: Omit<ToldEntry, 'horseKeeperIds'>, now: Date): readonly string[] {
	const guardian = guardianOn(rider, now);
	return [rider.riderMemberId, ...(guardian === null ? [] : [guardian])];
}

export const asRecipients = (memberIds: readonly string[]): MailRecipient[] =>
	memberIds.map((memberId) => ({ memberId }));

export function factsOf({ name, startDate, endDate }: ToldEvent, entry: ToldEntry): EntryFacts {
	const { riderName: rider, horseName: horse, entryNumber } = entry;
	return { eventName: name, startDate, endDate, entryNumber: String(entryNumber), rider, horse };
}

/** The last moment for a confirmation, see `isTooLateToConfirm`. */
function confirmableUntil({ entryDeadline, startsAt }: Pick<EventRow, 'entryDeadline' | 'startsAt'>): Date {
	return entryDeadline === null || startsAt < entryDeadline ? startsAt : entryDeadline;
}

interface NewEntry
	extends Omit<ToldEntry, 'riderGuardianId' | 'judgedBy' | 'isConfirmed'>,
		Pick<NewEntryRow, 'isConfirmed' | 'isHorseConfirmed' | 'riderGuardianId' | 'horseClubId' | 'position'> {
	readonly status: EntryStatus;
	readonly horseId: string;
	readonly judgedBy: JudgedBy;
}

/** Tells the parties of a new or confirmed entry of its status; `also`: further recipients. */
export async function tellOfNewEntry(
	reason: MailReason,
	event: EventRow,
	{ riderGuardianId = null, isConfirmed = true, isHorseConfirmed = true, ...row }: NewEntry,
	also: readonly MailRecipient[] = [],
): Promise<void> {
	const entry = { ...row, riderGuardianId, isConfirmed, isHorseConfirmed };
	const facts = factsOf(event, entry);
	if (row.status === 'PENDING_CONFIRMATION') {
		const data = { ...facts, until: confirmableUntil(event), timeZone: event.venueTimeZone };
		// Once a day: nobody can switch it off, and anybody can enter and withdraw.
		const sides = missingSides(agreedSides(entry));
		const key = [event.id, row.riderMemberId, row.horseId, ...sides, dayIn('UTC', reason.now)].join(' ');
		const missing = missingParties(entry, reason.now);
		await tellOfEntry(reason, entryConfirmationWanted, { entry, data }, missing, key);
		return;
	}
	// Most entries are of riders on their own horses, by themselves.
	if (also.length === 0 && isOnlyFor(reason, entry, event)) return;
	const recipients = [...asRecipients(membersOf(entry, reason.now)), ...also];
	if (row.status === 'WAITLISTED')
		await tell(reason, entryWaitlisted, { ...facts, position: String(row.position ?? '') }, recipients);
	else await tell(reason, entryAccepted, facts, recipients);
}

/** Whether nobody but the caller would get the mail. Guardians of minors may be known to auth only. */
function isOnlyFor(
	{ principal, now }: MailReason,
	entry: NewEntry & ToldEntry,
	{ startDate }: ToldEvent,
): boolean {
	const isAdult = yearOf(startDate) - entry.judgedBy.riderBirthYear > fullAgeYears;
	return isAdult && membersOf(entry, now).every((id) => id === principal?.memberId);
}

/** Those who confirm for the sides that have not agreed. */
export function missingParties(
	entry: ToldEntry & Pick<EntryRow, 'isHorseConfirmed'> & Pick<NewEntryRow, 'horseClubId'>,
	now: Date,
): readonly MailRecipient[] {
	const missing = missingSides(agreedSides(entry));
	const riders = missing.includes('RIDER') ? ridersSide(entry, now) : [];
	const keepers = missing.includes('HORSE') ? entry.horseKeeperIds : [];
	const club = missing.includes('HORSE') && keepers.length === 0 ? (entry.horseClubId ?? null) : null;
	return [
		...asRecipients([...new Set([...riders, ...keepers])]),
		...(club === null ? [] : [{ clubId: club }]),
	];
}
