import { dayRangeText, dayText, defineMail, instantText } from '@paddock/mail';

export interface EventFacts {
	readonly eventName: string;
	readonly startDate: string;
}

export const example: EventFacts = { eventName: 'Herbstturnier Auwiesen', startDate: '2026-10-23' };
export const deadline = { until: new Date('2026-10-12T21:59:00Z'), timeZone: 'Europe/Vienna' };

const events = { category: 'EVENTS', canBeSwitchedOff: true } as const;

export type Facts = [string, string][];
export const factsDe = ({ eventName, startDate }: EventFacts, more: Facts = []) => ({
	facts: [['Turnier', eventName], ['Erster Tag', dayText(startDate, 'de')], ...more] as Facts,
});
export const factsEn = ({ eventName, startDate }: EventFacts, more: Facts = []) => ({
	facts: [['Event', eventName], ['First day', dayText(startDate, 'en')], ...more] as Facts,
});

export const eventReturned = defineMail<EventFacts & { readonly remarks: string }>({
	...events,
	name: 'event-returned',
	example: { ...example, remarks: 'Please name the veterinarian.' },
	de: (data) => ({
		subject: `Ausschreibung zurückgegeben: ${data.eventName}`,
		parts: [
			'der Verband hat die Ausschreibung mit Anmerkungen zurückgegeben. Bitte ändern Sie sie, und reichen Sie sie noch einmal ein.',
			factsDe(data, [['Anmerkungen', data.remarks]]),
		],
	}),
	en: (data) => ({
		subject: `Announcement returned: ${data.eventName}`,
		parts: [
			'The federation has returned the announcement with remarks. Please change it and submit it again.',
			factsEn(data, [['Remarks', data.remarks]]),
		],
	}),
});

export interface Deadline {
	readonly until: Date;
	readonly timeZone: string;
}

export const eventPublished = defineMail<EventFacts & Deadline>({
	...events,
	name: 'event-published',
	example: { ...example, ...deadline },
	de: (data) => ({
		subject: `Genehmigt und veröffentlicht: ${data.eventName}`,
		parts: [
			'das Turnier ist genehmigt und im Kalender veröffentlicht.',
			factsDe(data, [['Nennschluss', instantText(data.until, 'de', data.timeZone)]]),
		],
	}),
	en: (data) => ({
		subject: `Approved and published: ${data.eventName}`,
		parts: [
			'The event is approved and published in the calendar.',
			factsEn(data, [['Entry deadline', instantText(data.until, 'en', data.timeZone)]]),
		],
	}),
});

/** To the organiser and the parties of all entries that had not ended. */
export const eventCancelled = defineMail<EventFacts & { readonly reason: string }>({
	...events,
	name: 'event-cancelled',
	example: { ...example, reason: 'The grounds are flooded.' },
	de: (data) => ({
		subject: `Abgesagt: ${data.eventName}`,
		parts: [
			'das Turnier ist abgesagt. Alle Nennungen sind damit storniert; es ist nichts mehr dafür zu zahlen.',
			factsDe(data, [['Grund', data.reason]]),
			{ subjects: 'Nennungen' },
		],
	}),
	en: (data) => ({
		subject: `Cancelled: ${data.eventName}`,
		parts: [
			'The event is cancelled. All entries are cancelled with it, and nothing is due for them any more.',
			factsEn(data, [['Reason', data.reason]]),
			{ subjects: 'Entries' },
		],
	}),
});

/** To the same, of other days. */
export const eventRescheduled = defineMail<
	EventFacts &
		Deadline & {
			readonly endDate: string;
			readonly formerDate: string;
			readonly formerEndDate: string;
			/** Until when entries of moved competitions can be withdrawn free of charge; undefined if none was moved. */
			readonly freeUntil?: Date | undefined;
		}
>({
	...events,
	name: 'event-rescheduled',
	example: {
		...example,
		...deadline,
		endDate: '2026-10-25',
		formerDate: '2026-10-16',
		formerEndDate: '2026-10-18',
		freeUntil: new Date('2026-10-22T22:00:00Z'),
	},
	de: ({ eventName, formerDate, formerEndDate, startDate, endDate, ...data }) => ({
		subject: `Verschoben: ${eventName}`,
		parts: [
			'die Termine des Turniers haben sich geändert. Die Nennungen gelten weiter.',
			{
				facts: [
					['Turnier', eventName],
					['Bisher', dayRangeText(formerDate, formerEndDate, 'de')],
					['Jetzt', dayRangeText(startDate, endDate, 'de')],
					['Nennschluss', instantText(data.until, 'de', data.timeZone)],
				],
			},
			{ subjects: 'Nennungen' },
			...(data.freeUntil === undefined
				? []
				: [
						`Nennungen, deren Bewerbe verschoben wurden, können bis ${instantText(data.freeUntil, 'de', data.timeZone)} kostenlos zurückgezogen werden.`,
					]),
		],
	}),
	en: ({ eventName, formerDate, formerEndDate, startDate, endDate, ...data }) => ({
		subject: `Rescheduled: ${eventName}`,
		parts: [
			'The dates of the event have changed. Entries stay valid.',
			{
				facts: [
					['Event', eventName],
					['Before', dayRangeText(formerDate, formerEndDate, 'en')],
					['Now', dayRangeText(startDate, endDate, 'en')],
					['Entry deadline', instantText(data.until, 'en', data.timeZone)],
				],
			},
			{ subjects: 'Entries' },
			...(data.freeUntil === undefined
				? []
				: [
						`Entries whose competitions were moved can be withdrawn free of charge until ${instantText(data.freeUntil, 'en', data.timeZone)}.`,
					]),
		],
	}),
});

/** To the same, if no day has changed. */
export const entryDeadlineChanged = defineMail<EventFacts & Deadline & { readonly formerUntil: Date }>({
	...events,
	name: 'entry-deadline-changed',
	example: { ...example, ...deadline, formerUntil: new Date('2026-10-09T21:59:00Z') },
	de: (data) => ({
		subject: `Nennschluss geändert: ${data.eventName}`,
		parts: [
			'der Nennschluss des Turniers hat sich geändert. Die Tage des Turniers bleiben, und die Nennungen gelten weiter.',
			factsDe(data, [
				['Bisheriger Nennschluss', instantText(data.formerUntil, 'de', data.timeZone)],
				['Neuer Nennschluss', instantText(data.until, 'de', data.timeZone)],
			]),
			{ subjects: 'Nennungen' },
		],
	}),
	en: (data) => ({
		subject: `Entry deadline changed: ${data.eventName}`,
		parts: [
			'The entry deadline of the event has changed. The days of the event stay the same, and entries stay valid.',
			factsEn(data, [
				['Former entry deadline', instantText(data.formerUntil, 'en', data.timeZone)],
				['New entry deadline', instantText(data.until, 'en', data.timeZone)],
			]),
			{ subjects: 'Entries' },
		],
	}),
});

/** To the parties of the starts in it. */
export const competitionCancelled = defineMail<EventFacts & { readonly competition: string }>({
	...events,
	name: 'competition-cancelled',
	example: { ...example, competition: '7 Standardspringen' },
	de: (data) => ({
		subject: `Bewerb abgesagt: ${data.eventName}`,
		parts: [
			'ein Bewerb des Turniers ist abgesagt. Das Startgeld dafür entfällt; andere Starts der Nennung gelten weiter.',
			factsDe(data, [['Bewerb', data.competition]]),
			{ subjects: 'Nennungen' },
		],
	}),
	en: (data) => ({
		subject: `Competition cancelled: ${data.eventName}`,
		parts: [
			'A competition of the event is cancelled. Its start fee is not due; other starts of the entry stay valid.',
			factsEn(data, [['Competition', data.competition]]),
			{ subjects: 'Entries' },
		],
	}),
});

export const competitionRescheduled = defineMail<
	EventFacts & {
		readonly competition: string;
		readonly formerDate: string;
		readonly date: string;
		/** Until when its entries can be withdrawn free of charge. */
		readonly freeUntil: Date;
		readonly timeZone: string;
	}
>({
	...events,
	name: 'competition-rescheduled',
	example: {
		...example,
		competition: '7 Standardspringen',
		formerDate: '2026-10-23',
		date: '2026-10-24',
		freeUntil: new Date('2026-10-22T22:00:00Z'),
		timeZone: deadline.timeZone,
	},
	de: ({ competition, formerDate, date, ...data }) => ({
		subject: `Bewerb verschoben: ${data.eventName}`,
		parts: [
			`ein Bewerb des Turniers ist an einem anderen Tag. Die Nennungen gelten weiter; bis ${instantText(data.freeUntil, 'de', data.timeZone)} können sie kostenlos zurückgezogen werden.`,
			factsDe(data, [
				['Bewerb', competition],
				['Bisher am', dayText(formerDate, 'de')],
				['Jetzt am', dayText(date, 'de')],
			]),
			{ subjects: 'Nennungen' },
		],
	}),
	en: ({ competition, formerDate, date, ...data }) => ({
		subject: `Competition rescheduled: ${data.eventName}`,
		parts: [
			`A competition of the event is on another day. Entries stay valid; until ${instantText(data.freeUntil, 'en', data.timeZone)} they can be withdrawn free of charge.`,
			factsEn(data, [
				['Competition', competition],
				['Formerly on', dayText(formerDate, 'en')],
				['Now on', dayText(date, 'en')],
			]),
			{ subjects: 'Entries' },
		],
	}),
});
