import { afterAll, beforeAll } from '@jest/globals';
import { demoPassword } from '@paddock/demo';
import { type ApiClient, createApiClient } from '@paddock/testing';
import { type System, startSystem, systemServices } from '../system.ts';
import type { Caller } from './callers.ts';

/** One system with demo data for all tests of a file: each start takes seconds. */
export let system: System;
export let api: ApiClient;
/** The access token of each caller. */
export const tokens = new Map<Caller, string>();

beforeAll(async () => {
	system = await startSystem({ contexts: systemServices, services: { DEMO: 'on' } });
	api = createApiClient(system.gateway.url);
	for (const name of ['member', 'official', 'organiser', 'officer'] as const)
		tokens.set(name, await system.signIn(`${name}@example.org`, demoPassword));
	tokens.set('admin', await system.signIn());
}, 90_000);

afterAll(async () => {
	await system?.stop();
});
