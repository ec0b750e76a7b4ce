import { dayAfter, dayInVienna, startOfDay, vienna } from '@paddock/calendar';
import { demoClubs, demoVenues } from '@paddock/demo';
import { competitionDraft, requireFitting } from '../competitions/rules.ts';
import { type CompetitionBody, competitionBody } from '../competitions/schemas.ts';
import type { NewCompetitionRow, NewEventRow } from '../database-schema.ts';
import { type EventBody, eventBody } from '../events/schemas.ts';
import { venueSnapshot } from '../events/snapshot.ts';
import { eventRow } from '../events/store.ts';
import { type DemoEntry, demoEntries } from './demo-entries.ts';

/** A seeded event, with its id so that entries and documents can refer to it. */
export interface DemoEvent {
	readonly row: NewEventRow & { readonly id: string };
	readonly competitions: readonly (NewCompetitionRow & { readonly id: string })[];
	readonly entries: readonly DemoEntry[];
}

type Place = keyof typeof demoVenues;

interface Plan {
	readonly number: number;
	readonly at: Place;
	/** Days from today. */
	readonly begins: number;
	readonly lasts: number;
	/** Days from today, at 23:59 local time. */
	readonly deadline: number;
	readonly body: Pick<EventBody, 'name' | 'description' | 'category' | 'disciplines'> &
		Partial<Pick<EventBody, 'maxEntries' | 'isPublic'>>;
	readonly state: Pick<NewEventRow, 'status' | 'cancelledReason'>;
	readonly competitions: readonly (Pick<
		CompetitionBody,
		'name' | 'discipline' | 'level' | 'ageClasses' | 'ponyOnly' | 'startFee'
	> &
		Partial<Pick<CompetitionBody, 'kind' | 'heightCm' | 'task'>>)[];
	readonly entries: readonly DemoEntry[];
}

const minuteMs = 60_000;
const published = { status: 'PUBLISHED', cancelledReason: null } as const;

const jumping = {
	discipline: 'JUMPING',
	ponyOnly: false,
	ageClasses: [] as string[],
	startFee: 1_800,
} as const;
const dressage = { ...jumping, discipline: 'DRESSAGE', startFee: 1_600 } as const;
const easyJumping = { ...jumping, name: 'Standardspringprüfung 95 cm', level: 'A0', heightCm: 95 };
const juniorJumping = {
	...jumping,
	name: 'Stilspringprüfung der Jugend 105 cm',
	kind: 'STYLE' as const,
	level: 'A',
	heightCm: 105,
	ageClasses: ['YOUTH', 'JUNIOR'],
};
const higherJumping = { ...jumping, name: 'Standardspringprüfung 115 cm', level: 'L', heightCm: 115 };
const easyDressage = { ...dressage, name: 'Dressurprüfung A2', level: 'A', task: 'A2' };
const higherDressage = { ...dressage, name: 'Dressurprüfung M3', level: 'M', task: 'M3' };
const ponyJumping = {
	...jumping,
	name: 'Ponyspringprüfung 90 cm',
	level: 'A',
	heightCm: 90,
	ponyOnly: true,
	ageClasses: ['YOUTH'],
};

const plans: readonly Plan[] = [
	{
		number: 1,
		at: 'hochlaerchen',
		begins: 75,
		lasts: 2,
		deadline: 60,
		body: {
			name: 'Lärchencup',
			description: 'Noch in Vorbereitung: Richter und Zeitplan folgen.',
			category: 'CDN-B',
			disciplines: ['DRESSAGE'],
		},
		state: { status: 'DRAFT', cancelledReason: null },
		competitions: [easyDressage],
		entries: [],
	},
	{
		number: 2,
		at: 'auwiesen',
		begins: 45,
		lasts: 3,
		deadline: 30,
		body: {
			name: 'Auwiesner Reitertage',
			description: 'Springen und Dressur für alle Klassen, am ersten Tag für die Jugend.',
			category: 'CSN-B*',
			disciplines: ['JUMPING', 'DRESSAGE'],
			maxEntries: 120,
		},
		state: published,
		competitions: [juniorJumping, easyJumping, higherJumping, easyDressage, higherDressage],
		entries: [
			...demoEntries('ACCEPTED', ['hannah', 'five'], ['ivo', 'four']),
			// Created by Greta, who owns the horse; Nora has not confirmed it yet.
			...demoEntries('PENDING_CONFIRMATION', ['nora', 'transferred']),
		],
	},
	{
		number: 3,
		at: 'hochlaerchen',
		begins: 12,
		lasts: 2,
		deadline: 1,
		body: {
			name: 'Hochlärchner Springtage',
			description: 'Nennschluss ist morgen um 23:59 Uhr.',
			category: 'CSN-C',
			disciplines: ['JUMPING'],
			maxEntries: 60,
		},
		state: published,
		competitions: [easyJumping, higherJumping],
		entries: demoEntries('ACCEPTED', ['eva', 'gelding']),
	},
	{
		number: 4,
		at: 'hochlaerchen',
		begins: 25,
		lasts: 1,
		deadline: 14,
		body: {
			name: 'Almspringen',
			description: 'Ein kleines Turnier mit wenigen Plätzen.',
			category: 'CSN-C',
			disciplines: ['JUMPING'],
			maxEntries: 4,
		},
		state: published,
		competitions: [easyJumping],
		entries: [
			...demoEntries(
				'ACCEPTED',
				['eva', 'gelding'],
				['felix', 'shared'],
				['david', 'sire'],
				['clara', 'dam'],
			),
			...demoEntries('WAITLISTED', ['greta', 'transferred'], ['hannah', 'five'], ['ivo', 'four']),
		],
	},
	{
		number: 5,
		at: 'auwiesen',
		begins: -60,
		lasts: 2,
		deadline: -75,
		body: {
			name: 'Sommerabschluss Auwiesen',
			description: null,
			category: 'CSN-B',
			disciplines: ['JUMPING'],
		},
		state: { status: 'COMPLETED', cancelledReason: null },
		competitions: [easyJumping, higherJumping],
		entries: [
			...demoEntries('ACCEPTED', ['eva', 'gelding'], ['felix', 'shared'], ['greta', 'transferred']),
			...demoEntries('WITHDRAWN', ['clara', 'dam']),
		],
	},
	{
		number: 6,
		at: 'seeblick',
		begins: 20,
		lasts: 1,
		deadline: 10,
		body: { name: 'Ponyfest am Moor', description: null, category: 'CSNP-C', disciplines: ['JUMPING'] },
		state: { status: 'CANCELLED', cancelledReason: 'Der Platz steht nach dem Starkregen unter Wasser.' },
		competitions: [ponyJumping],
		entries: demoEntries('CANCELLED', ['jana', 'pony'], ['kilian', 'secondPony']),
	},
];

/** Fictional events around the day of `now`: a draft, one open, one closing tomorrow, one full, one past, one cancelled. */
export function demoEventsAt(now: Date): readonly DemoEvent[] {
	return plans.map((plan) => demoEvent(plan, now));
}

function demoEvent(plan: Plan, now: Date): DemoEvent {
	const id = `d4000000-0000-4000-8000-${String(plan.number).padStart(12, '0')}`;
	const today = dayInVienna(now);
	const startDate = dayAfter(today, plan.begins);
	const endDate = dayAfter(startDate, plan.lasts - 1);
	const venue = demoVenues[plan.at];
	const club = demoClubs[plan.at];
	const lastMinuteOf = (day: string) => startOfDay(vienna, dayAfter(day)).getTime() - minuteMs;
	const body = eventBody.parse({
		...plan.body,
		startDate,
		endDate,
		venueId: venue.id,
		organiserClubId: club.id,
		ruleset: 'OETO',
		entryDeadline: new Date(lastMinuteOf(dayAfter(today, plan.deadline))).toISOString(),
		fees: { entryFee: 2_500, lateSurcharge: 1_500, stable: 9_000, swap: 1_500 },
		officials: [{ role: 'SHOW_DIRECTOR', name: 'Turnierleitung' }],
	});
	const snapshot = {
		...venueSnapshot({ ...venue, address: { city: venue.city } }),
		organiserClubName: club.name,
		startsAt: startOfDay(vienna, startDate),
		endsAt: startOfDay(vienna, dayAfter(endDate)),
	};
	const number = `9999${plan.number}`;
	return {
		row: { ...eventRow({ body, snapshot, now }, number), ...plan.state, id, isDemo: true, createdAt: now },
		competitions: plan.competitions.map((competition, index) => ({
			...competitionDraft(
				requireFitting(competitionBody.parse({ ...competition, number: index + 1, date: startDate }), body),
				null,
			),
			eventId: id,
			id: `d4${String(plan.number).padStart(6, '0')}-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
		})),
		entries: plan.entries,
	};
}
