import { Session } from 'node:inspector/promises';
import { expect, test } from '@jest/globals';
import { useEntryDesk } from './use-events.ts';

const { events, call, stage } = useEntryDesk();
// To understand how an entry is made, one reads these (overrides included); rules/ is read like the OeTO, one table at a time.
const filesMax = 25;

test(`an entry by its rider runs through at most ${filesMax} files of the service`, async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	const enter = async () => {
		const rider = stage.member();
		const body = { riderMemberId: rider.id, horseId: stage.horse().id, starts: [{ competitionId }] };
		const token = events.sign({ memberId: rider.id });
		const { status } = await call('POST', `/api/events/${eventId}/entries`, { token, body });
		expect(status).toBe(201);
	};
	await enter();
	using coverage = await startCoverage();
	const runs: string[][] = [];
	for (let run = 0; run < 3; run++) {
		await enter();
		runs.push(await coverage.files(/services\/events\/src\/(?!rules\/)[^?]+/));
	}
	// Jobs of the service run in between as well: an entry's own files are those of each run.
	const files = runs.reduce((common, run) => common.filter((file) => run.includes(file)));
	expect(files).toContain('services/events/src/entries/submit-entry.ts');
	expect(files.slice(filesMax)).toEqual([]);
});

async function startCoverage() {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	// The first report has all functions that have run so far.
	await session.post('Profiler.takePreciseCoverage');
	return {
		files: async (pattern: RegExp): Promise<string[]> => {
			const { result } = await session.post('Profiler.takePreciseCoverage');
			return result
				.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
				.flatMap(({ url }) => pattern.exec(url)?.[0] ?? [])
				.sort();
		},
		[Symbol.dispose]: () => session.disconnect(),
	};
}
