import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { testPath = '' } = expect.getState();

// Whole-system tests call the real gateway and services; every response must match openapi.yaml.
if (relative(root, testPath).startsWith(`tests${sep}`)) {
	const { checkedFetch } = await import('../checked-fetch.ts');
	const { createOpenapiCheck } = await import('../openapi-check.ts');
	globalThis.fetch = checkedFetch(globalThis.fetch, createOpenapiCheck());
}
