import { dayText, defineMail, instantText } from '@paddock/mail';
import {
	confirmation,
	type EntryFacts,
	type Expiry,
	entries,
	example,
	expiry,
	factsTable,
	pairDe,
	pairEn,
	pairOf,
} from './new-entry-texts.ts';

/** A day before entries expire for want of a confirmation. */
export const entryExpiring = defineMail<Expiry & Pick<EntryFacts, 'eventName'>>({
	...confirmation,
	name: 'entry-expiring',
	example: { eventName: example.eventName, ...expiry },
	de: ({ eventName, until, timeZone }) => ({
		subject: `Bestätigung fehlt noch: ${eventName}`,
		parts: [
			`Ihre Bestätigung fehlt noch. Ohne sie verfällt die Nennung am ${instantText(until, 'de', timeZone)}.`,
			{ facts: [['Turnier', eventName]] },
			{ subjects: 'Nennungen' },
		],
	}),
	en: ({ eventName, until, timeZone }) => ({
		subject: `Confirmation still missing: ${eventName}`,
		parts: [
			`Your confirmation is still missing. Without it the entry expires on ${instantText(until, 'en', timeZone)}.`,
			{ facts: [['Event', eventName]] },
			{ subjects: 'Entries' },
		],
	}),
});

/** To all parties, and the accounts that made the entries. */
export const entriesExpired = defineMail<Expiry & Pick<EntryFacts, 'eventName'>>({
	...entries,
	name: 'entries-expired',
	example: { eventName: example.eventName, ...expiry },
	de: ({ eventName, until, timeZone }) => ({
		subject: `Nennung verfallen: ${eventName}`,
		parts: [
			`die Bestätigung ist bis ${instantText(until, 'de', timeZone)} nicht eingelangt. Die Nennung ist verfallen; zu bezahlen ist nichts.`,
			{ facts: [['Turnier', eventName]] },
			{ subjects: 'Nennungen' },
		],
	}),
	en: ({ eventName, until, timeZone }) => ({
		subject: `Entry expired: ${eventName}`,
		parts: [
			`The confirmation was missing on ${instantText(until, 'en', timeZone)}. The entry has expired; nothing is due.`,
			{ facts: [['Event', eventName]] },
			{ subjects: 'Entries' },
		],
	}),
});

/** To the parties of entries that got their places from the waiting list. */
export const entriesPromoted = defineMail<
	Pick<EntryFacts, 'eventName' | 'startDate'> & {
		/** Until when they can be withdrawn free of charge. */
		readonly freeUntil: Date;
		readonly timeZone: string;
	}
>({
	...entries,
	name: 'entries-promoted',
	example: {
		eventName: example.eventName,
		startDate: example.startDate,
		freeUntil: new Date('2026-10-20T16:00:00Z'),
		timeZone: 'Europe/Vienna',
	},
	de: ({ eventName, startDate, freeUntil, timeZone }) => ({
		subject: `Startplatz frei geworden: ${eventName}`,
		parts: [
			`beim Turnier ${eventName} ab ${dayText(startDate, 'de')} ist ein Platz frei geworden. Die Nennung ist von der Warteliste nachgerückt und jetzt angenommen.`,
			{ subjects: 'Nennungen' },
			`Bis ${instantText(freeUntil, 'de', timeZone)} können Sie kostenlos zurückziehen.`,
		],
	}),
	en: ({ eventName, startDate, freeUntil, timeZone }) => ({
		subject: `A place is free: ${eventName}`,
		parts: [
			`A place became free at the event ${eventName} from ${dayText(startDate, 'en')}. The entry moved up from the waiting list and is accepted now.`,
			{ subjects: 'Entries' },
			`You can withdraw free of charge until ${instantText(freeUntil, 'en', timeZone)}.`,
		],
	}),
});

export const entryRejected = defineMail<EntryFacts & { readonly reason: string }>({
	...entries,
	name: 'entry-rejected',
	example: { ...example, reason: 'The competition is for members of the club.' },
	de: (data) => ({
		subject: `Nennung abgelehnt: ${pairOf(data)}`,
		parts: [
			`der Veranstalter hat die Nennung ${pairDe(data)} abgelehnt.`,
			factsTable('de', data, [['Grund', data.reason]]),
		],
	}),
	en: (data) => ({
		subject: `Entry rejected: ${pairOf(data)}`,
		parts: [
			`The organiser has rejected the entry ${pairEn(data)}.`,
			factsTable('en', data, [['Reason', data.reason]]),
		],
	}),
});

/** By the organiser, or by another party of the entry. */
export const entryWithdrawn = defineMail<EntryFacts>({
	...entries,
	name: 'entry-withdrawn',
	example,
	de: (data) => ({
		subject: `Nennung zurückgezogen: ${pairOf(data)}`,
		parts: [`die Nennung ${pairDe(data)} wurde zurückgezogen.`, factsTable('de', data)],
	}),
	en: (data) => ({
		subject: `Entry withdrawn: ${pairOf(data)}`,
		parts: [`The entry ${pairEn(data)} was withdrawn.`, factsTable('en', data)],
	}),
});

/** The side whose confirmation was missing has refused. */
export const entryDeclined = defineMail<EntryFacts>({
	...entries,
	name: 'entry-declined',
	example,
	de: (data) => ({
		subject: `Nennung nicht bestätigt: ${pairOf(data)}`,
		parts: [`die Bestätigung der Nennung ${pairDe(data)} wurde abgelehnt.`, factsTable('de', data)],
	}),
	en: (data) => ({
		subject: `Entry not confirmed: ${pairOf(data)}`,
		parts: [`The confirmation of the entry ${pairEn(data)} was declined.`, factsTable('en', data)],
	}),
});

/** To the parties of the former and of the new pair. */
export const entrySwapped = defineMail<
	EntryFacts & { readonly formerRider: string; readonly formerHorse: string }
>({
	...entries,
	name: 'entry-swapped',
	example: { ...example, formerRider: 'Lena Huber', formerHorse: 'Donnerhall' },
	de: (data) => ({
		subject: `Nennung geändert: ${pairOf(data)}`,
		parts: [
			`die Nennung von ${data.formerRider} mit ${data.formerHorse} gilt jetzt für ${data.rider} mit ${data.horse}.`,
			factsTable('de', data),
		],
	}),
	en: (data) => ({
		subject: `Entry changed: ${pairOf(data)}`,
		parts: [
			`The entry of ${data.formerRider} with ${data.formerHorse} is now one ${pairEn(data)}.`,
			factsTable('en', data),
		],
	}),
});
