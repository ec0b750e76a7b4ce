import { createRequire } from 'node:module';

// The package declares types for `require` only, where its class is the property `default`.
const require = createRequire(import.meta.url);
const { default: TestSequencer }: typeof import('@jest/test-sequencer') = require('@jest/test-sequencer');

// The files of whole systems take the longest. Jest knows durations only where it has run before, else sizes.
const longest = [
	/\/tests\/(start|browser)\//,
	/\/tests\/|\/http-proxy-forwarder\.|\/embedded\./,
	/\/gateway\/test\//,
];

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

/** Starts the longest files first: one that started last would run alone. */
export default class LongestFirst extends TestSequencer {
	override async sort(tests: Tests): Promise<Tests> {
		const sorted = await super.sort(tests);
		return sorted.sort((a, b) => rank(a.path) - rank(b.path));
	}
}

function rank(path: string): number {
	const found = longest.findIndex((pattern) => pattern.test(path));
	return found === -1 ? longest.length : found;
}
