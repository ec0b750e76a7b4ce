import { expect } from '@jest/globals';
import type { TestResponse } from '@paddock/testing';
import type { EntryRow } from '../src/database-schema.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { RunningEvents } from './running-events.ts';
import { type Stage, setStage } from './stage.ts';

type Call = RunningEvents['call'];

/** The organiser's work with entries, as tests need it. */
export interface EntryDesk {
	readonly stage: Stage;
	/** The token of an account that runs the events and acts for the club's riders and horses. */
	readonly organiser: string;
	/** A new rider with a new horse, as the body of an entry. */
	pair(...competitionIds: readonly string[]): EntryPair;
	/** Enters such a pair. */
	enter(eventId: string, competitionIds: readonly string[], by?: Call): Promise<Entry>;
	end(entry: Entry, step?: 'withdraw' | 'reject', by?: Call): Promise<TestResponse<Entry>>;
	/** The rows of an event, by number. */
	stored(eventId: string): Promise<EntryRow[]>;
	/** Every stored entry by number: `1 ACCEPTED`, `2 WAITLISTED 1`. */
	standing(eventId: string): Promise<string[]>;
}

export interface EntryPair {
	readonly riderMemberId: string;
	readonly horseId: string;
	readonly starts: readonly { readonly competitionId: string }[];
}

export function openEntryDesk(events: RunningEvents): EntryDesk {
	const stage = setStage(events);
	const club = { clubIds: [stage.clubId] };
	const organiser = events.sign({
		roles: ['MEMBER', 'ORGANISER', 'CLUB_OFFICIAL'],
		roleScopes: { ORGANISER: club, CLUB_OFFICIAL: club },
	});
	const pair: EntryDesk['pair'] = (...competitionIds) => ({
		riderMemberId: stage.member().id,
		horseId: stage.horse().id,
		starts: competitionIds.map((competitionId) => ({ competitionId })),
	});
	const stored = (eventId: string) =>
		events.db
			.selectFrom('entries')
			.selectAll()
			.where('eventId', '=', eventId)
			.orderBy('entryNumber')
			.execute();
	return {
		stage,
		organiser,
		pair,
		stored,
		enter: async (eventId, competitionIds, by = events.call) => {
			const { status, data } = await by<Entry>('POST', `/api/events/${eventId}/entries`, {
				token: organiser,
				body: pair(...competitionIds),
			});
			expect(status).toBe(201);
			return data;
		},
		end: ({ id, eventId }, step = 'withdraw', by = events.call) => {
			const body = step === 'reject' ? { body: { reason: 'Nicht zugelassen' } } : {};
			return by<Entry>('POST', `/api/events/${eventId}/entries/${id}/${step}`, { token: organiser, ...body });
		},
		standing: async (eventId) =>
			(await stored(eventId)).map(({ entryNumber, status, position }) =>
				[entryNumber, status, ...(position === null ? [] : [position])].join(' '),
			),
	};
}
