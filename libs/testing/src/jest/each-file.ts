import { expect } from '@jest/globals';

// Tests of the whole system talk to the real gateway and services; whatever these answer must be documented.
if (expect.getState().testPath?.includes('/tests/') === true) {
	const { checkedFetch } = await import('../checked-fetch.ts');
	const { createOpenapiCheck } = await import('../openapi-check.ts');
	globalThis.fetch = checkedFetch(globalThis.fetch, createOpenapiCheck());
}
