import { afterAll, beforeAll } from '@jest/globals';
import { type System, startSystem } from '@paddock/testing';
import { triedContexts } from './declared-calls.ts';
import { type People, signInPeople } from './people.ts';

/** One system for all tests of a file: each start takes seconds. */
export let system: System;
export let people: People;

beforeAll(async () => {
	system = await startSystem({ contexts: triedContexts });
	people = await signInPeople(system);
}, 60_000);

afterAll(async () => {
	await system?.stop();
});
