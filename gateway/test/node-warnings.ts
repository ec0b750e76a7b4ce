import { afterAll, beforeAll } from '@jest/globals';
import { nodeProcess } from '@paddock/testing';

const warnings: string[] = [];
const remember = (warning: Error): void => {
	if (warning.name !== 'ExperimentalWarning') warnings.push(warning.stack ?? warning.message);
};

// One listener for a test file, however many benches it has.
beforeAll(() => {
	nodeProcess.on('warning', remember);
});
afterAll(() => {
	nodeProcess.off('warning', remember);
});

/** What Node warned of since it was last asked, e.g. of more listeners on an emitter than belong there. */
export async function nodeWarnings(): Promise<string[]> {
	// Node emits a warning on the next tick after its cause.
	await new Promise((resolve) => setImmediate(resolve));
	return warnings.splice(0);
}
