import { afterAll, beforeAll } from '@jest/globals';

const warnings: string[] = [];
const collect = (warning: Error): void => {
	if (warning.name !== 'ExperimentalWarning') warnings.push(warning.stack ?? warning.message);
};

// One listener per test file, independent of the number of benches.
beforeAll(() => {
	process.on('warning', collect);
});
afterAll(() => {
	process.off('warning', collect);
});

/** Returns and clears the warnings of Node.js, e.g. of too many listeners on an emitter. */
export async function nodeWarnings(): Promise<string[]> {
	// Node emits a warning on the next tick after its cause.
	await new Promise((resolve) => setImmediate(resolve));
	return warnings.splice(0);
}
