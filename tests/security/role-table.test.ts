import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoPassword } from '@paddock/demo';
import { type ApiClient, createApiClient, type System, startSystem } from '@paddock/testing';
import { type Caller, callers, type SendAs } from './callers.ts';
import { recordsMadeBy } from './made-records.ts';
import { roleRows } from './role-rows.ts';

let system: System;
let api: ApiClient;
const tokens = new Map<Caller, string>();

beforeAll(async () => {
	system = await startSystem({
		contexts: ['auth', 'members', 'masterdata', 'horses', 'events', 'ping'],
		services: { DEMO: 'on' },
	});
	api = createApiClient(system.gateway.url);
	for (const name of ['member', 'official', 'organiser', 'officer'] as const)
		tokens.set(name, await system.signIn(`${name}@example.org`, demoPassword));
	tokens.set('admin', await system.signIn());
}, 90_000);

afterAll(async () => {
	await system?.stop();
});

const send: SendAs = (caller, { method, path, body }) => {
	const token = tokens.get(caller);
	return api(method, path, {
		...(token === undefined ? {} : { token }),
		...(body === undefined ? {} : { body }),
	});
};
const made = recordsMadeBy(send);

describe('who may what, through the gateway', () => {
	test.each(roleRows)('%s', async (_name, call, statuses) => {
		const seen: Record<string, number> = {};
		for (const caller of callers) seen[caller] = (await send(caller, await call(made, caller))).status;
		expect(seen).toEqual(Object.fromEntries(callers.map((caller, index) => [caller, statuses[index]])));
	});
});
