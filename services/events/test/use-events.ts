import { afterAll, beforeAll } from '@jest/globals';
import { type EntryDesk, openEntryDesk } from './entry-desk.ts';
import { type EventOffice, openOffice } from './event-office.ts';
import { type RunningEvents, runEvents } from './running-events.ts';
import { type Stage, setStage } from './stage.ts';

type Options = Parameters<typeof runEvents>[0];

/** Runs one service for the tests of a file. The objects are filled in before the tests. */
export function useEvents(options: Options = {}) {
	const events = {} as RunningEvents;
	const stage = {} as Stage;
	const call: RunningEvents['call'] = (method, route, sent) => events.call(method, route, sent);
	beforeAll(async () => {
		Object.assign(events, await runEvents(options));
		Object.assign(stage, setStage(events));
	});
	afterAll(() => events.close());
	return { events, call, stage };
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
