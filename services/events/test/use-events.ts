import { beforeAll } from '@jest/globals';
import { useRunning } from '@paddock/testing';
import { type EntryDesk, openEntryDesk } from './entry-desk.ts';
import { type EventOffice, openOffice } from './event-office.ts';
import { runEvents } from './running-events.ts';
import { type Stage, setStage } from './stage.ts';

type Options = Parameters<typeof runEvents>[0];

/** Runs one service for the tests of a file. The stage is filled in before the tests. */
export function useEvents(options: Options = {}) {
	const events = useRunning(() => runEvents(options));
	const stage = {} as Stage;
	beforeAll(() => {
		Object.assign(stage, setStage(events));
	});
	return { events, call: events.call, stage };
}

/** The same with an office, for tests of events and competitions. */
export function useOffice(options?: Options) {
	const used = useEvents(options);
	const office = {} as EventOffice;
	beforeAll(() => {
		Object.assign(office, openOffice(used.events));
	});
	return { ...used, office };
}

/** The same with a desk, whose stage this is, for tests of entries. */
export function useEntryDesk(options?: Options) {
	const used = useEvents(options);
	const desk = {} as EntryDesk;
	beforeAll(() => {
		Object.assign(desk, openEntryDesk(used.events));
		Object.assign(used.stage, desk.stage);
	});
	return { ...used, desk };
}
