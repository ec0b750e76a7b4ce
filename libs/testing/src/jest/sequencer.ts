import { createRequire } from 'node:module';

// The package declares types for `require` only, where its class is the property `default`.
const require = createRequire(import.meta.url);
const { default: TestSequencer }: typeof import('@jest/test-sequencer') = require('@jest/test-sequencer');

// The files of whole systems take the longest. Jest knows durations only where it has run before, else sizes.
const longest =
	/\/tests\/(start|browser|images)\/|\/(http-proxy-forwarder|embedded|tried-system|demo-system|key-rotation|worst-texts|collection|peer-outages|killed-under-load|stuffing)\./;
/** Whole systems need all cores, services one; files of the gateway and the libraries mostly wait for time limits. */
const kinds = [/\/tests\/|\.system\.test\./, /\/services\//];

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

/** Share of the sequence by which whole systems have started: one that started last would run alone. */
const partOfSystems = 0.85;

/** Mixes files that compute with files that wait, the longest of each kind first. */
export default class MixedLongestFirst extends TestSequencer {
	override async sort(tests: Tests): Promise<Tests> {
		const sorted = await super.sort(tests);
		sorted.sort((a, b) => Number(longest.test(b.path)) - Number(longest.test(a.path)));
		const ofKinds = Object.entries(Object.groupBy(sorted, ({ path }) => kindOf(path)));
		const placed = ofKinds.flatMap(([kind, files = []]) => {
			const part = kind === '0' ? partOfSystems : 1;
			return files.map((test, index) => ({ test, place: (part * index) / files.length }));
		});
		return placed.sort((a, b) => a.place - b.place).map(({ test }) => test);
	}
}

function kindOf(path: string): number {
	return kinds.findIndex((pattern) => pattern.test(path));
}
