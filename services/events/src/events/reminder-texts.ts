import { dayText, defineMail, instantText } from '@paddock/mail';
import {
	type Deadline,
	deadline,
	type EventFacts,
	example,
	type Facts,
	factsDe,
	factsEn,
} from './event-texts.ts';

const reminders = { category: 'REMINDERS', canBeSwitchedOff: true } as const;

interface Counts {
	readonly accepted: string;
	readonly waitlisted: string;
	readonly unconfirmed: string;
}

const counts: Counts = { accepted: '84', waitlisted: '6', unconfirmed: '3' };
const countsDe = (data: Counts): Facts => [
	['Angenommen', data.accepted],
	['Auf der Warteliste', data.waitlisted],
	['Ohne Bestätigung', data.unconfirmed],
];
const countsEn = (data: Counts): Facts => [
	['Accepted', data.accepted],
	['On the waiting list', data.waitlisted],
	['Not confirmed', data.unconfirmed],
];

/** To the organiser, a day before the entry deadline. */
export const deadlineTomorrow = defineMail<EventFacts & Deadline & Counts>({
	...reminders,
	name: 'entry-deadline-tomorrow',
	example: { ...example, ...deadline, ...counts },
	de: (data) => ({
		subject: `Nennschluss in einem Tag: ${data.eventName}`,
		parts: [
			`der Nennschluss ist am ${instantText(data.until, 'de', data.timeZone)}. Der Stand der Nennungen:`,
			factsDe(data, countsDe(data)),
		],
	}),
	en: (data) => ({
		subject: `Entry deadline in a day: ${data.eventName}`,
		parts: [
			`The entry deadline is on ${instantText(data.until, 'en', data.timeZone)}. The entries so far:`,
			factsEn(data, countsEn(data)),
		],
	}),
});

/** To the organiser, after the entry deadline. */
export const deadlinePassed = defineMail<EventFacts & Counts>({
	...reminders,
	name: 'entry-deadline-passed',
	example: { ...example, ...counts },
	de: (data) => ({
		subject: `Nennschluss war: ${data.eventName}`,
		parts: [
			'der Nennschluss ist vorbei. Nennungen ohne Bestätigung sind verfallen; Nachnennungen trägt der Veranstalter ein.',
			factsDe(data, countsDe(data)),
		],
	}),
	en: (data) => ({
		subject: `Entry deadline has passed: ${data.eventName}`,
		parts: [
			'The entry deadline has passed. Entries without a confirmation have expired; late ones are made by the organiser.',
			factsEn(data, countsEn(data)),
		],
	}),
});

/** To the organiser, a day after the last day of an event that was not completed. */
export const completionMissing = defineMail<EventFacts>({
	...reminders,
	name: 'event-completion-missing',
	example,
	de: (data) => ({
		subject: `Bitte abschließen: ${data.eventName}`,
		parts: [
			'das Turnier ist vorbei, aber noch nicht abgeschlossen. Bitte schließen Sie es ab.',
			factsDe(data),
		],
	}),
	en: (data) => ({
		subject: `Please complete: ${data.eventName}`,
		parts: ['The event is over but was not completed. Please complete it.', factsEn(data)],
	}),
});

/** To the organiser of a draft, a week before its submission would be late. */
export const submissionDue = defineMail<EventFacts & { readonly dueDay: string }>({
	...reminders,
	name: 'event-submission-due',
	example: { ...example, dueDay: '2026-09-25' },
	de: (data) => ({
		subject: `Ausschreibung einreichen: ${data.eventName}`,
		parts: [
			`die Ausschreibung ist noch nicht beim Verband eingereicht. Nach dem ${dayText(data.dueDay, 'de')} gilt sie als verspätet.`,
			factsDe(data),
		],
	}),
	en: (data) => ({
		subject: `Submit the announcement: ${data.eventName}`,
		parts: [
			`The announcement is not submitted to the federation yet. After ${dayText(data.dueDay, 'en')} it is late.`,
			factsEn(data),
		],
	}),
});
