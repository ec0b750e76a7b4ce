import { afterAll, beforeAll } from '@jest/globals';
import { patientGateway } from '@paddock/testing';
import { type System, startSystem } from '../system.ts';
import { triedContexts } from './declared-calls.ts';
import { type People, signInPeople } from './people.ts';

/** One system for all tests of a file: each start takes seconds. */
export let system: System;
export let people: People;

beforeAll(async () => {
	system = await startSystem({ contexts: triedContexts, gateway: patientGateway });
	people = await signInPeople(system);
}, 90_000);

afterAll(async () => {
	await system?.stop();
});
