import { expect } from '@jest/globals';

// Whole-system tests call the real gateway and services; every response must match openapi.yaml.
if (expect.getState().testPath?.includes('/tests/') === true) {
	const { checkedFetch } = await import('../checked-fetch.ts');
	const { createOpenapiCheck } = await import('../openapi-check.ts');
	globalThis.fetch = checkedFetch(globalThis.fetch, createOpenapiCheck());
}
