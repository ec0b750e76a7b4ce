import { afterAll, beforeAll, expect } from '@jest/globals';

/**
 * A promise that nobody waits for and that fails is a bug of the code under test: it would end a service's process. Jest
 * takes notice of one only while a test runs; between two it would end the whole run. So it fails its file.
 */
const failures: unknown[] = [];
const remember = (reason: unknown) => {
	failures.push(reason);
};

beforeAll(() => {
	process.on('unhandledRejection', remember);
});

afterAll(async () => {
	// Node reports a rejection after the microtasks of the turn in which it happened.
	await new Promise((resolve) => setImmediate(resolve));
	process.off('unhandledRejection', remember);
	if (failures.length > 0) throw new AggregateError(failures, 'a promise was rejected and nobody handled it');
});

// Tests of the whole system talk to the real gateway and services; whatever these answer must be documented.
if (expect.getState().testPath?.includes('/tests/') === true) {
	const { checkedFetch } = await import('../checked-fetch.ts');
	const { createOpenapiCheck } = await import('../openapi-check.ts');
	globalThis.fetch = checkedFetch(globalThis.fetch, createOpenapiCheck());
}
