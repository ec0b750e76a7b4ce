import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { kinds, send } from './invented-records.ts';
import { once, type ReferringContexts, runReferringContexts } from './referring-contexts.ts';

let contexts: ReferringContexts;

beforeAll(async () => {
	contexts = await runReferringContexts();
});
afterAll(() => contexts.close());
beforeEach(() => contexts.counts.clear());

const call = (method: string, to: string, body?: object) => send(contexts.masterdata, method, to, body);

describe('PUT of a code that other contexts store', () => {
	test.each([
		['country', { isoNumeric: '999' }],
		['age class', { code: 'ANOTHER' }],
		['age class', { ruleset: 'FEI' }],
	] as const)('of a %s is refused while it is in use: %j', async (kind, changes) => {
		const { create, code } = kinds[kind];
		const { to, record } = await create(contexts.masterdata);
		contexts.counts.set('horses-service', 1);
		const refused = await call('PUT', to, { ...record, ...changes });
		expect([refused.status, refused.data.code]).toEqual([409, code]);
		expect((await call('GET', to)).data).toEqual(record);
		// A field that no other context stores may change.
		const renamed = await call('PUT', to, { ...record, nameEn: 'Other name' });
		expect(renamed.status).toBe(200);
	});

	// The code was that of the ruleset and the code that had been read; references to the present one were not counted.
	test('is refused if another part of it changes while references are counted', async () => {
		const { to } = await kinds['age class'].create(contexts.masterdata);
		contexts.stubs['events-service'].misbehave(once(() => call('PUT', to, { code: 'PROBE_MOVED' })));
		const { status, data } = await call('PUT', to, { ruleset: 'FEI' });
		expect([status, data.code]).toEqual([409, 'CONFLICT']);
		expect((await call('GET', to)).data).toMatchObject({ ruleset: 'OETO', code: 'PROBE_MOVED' });
	});

	test('of a state is refused while it is in use', async () => {
		const { to, record } = await kinds.state.create(contexts.masterdata);
		contexts.counts.set('members-service', 1);
		const body = { ...record, iso3166_2: `${record['countryCode']}-Z9` };
		const refused = await call('PUT', to, body);
		expect([refused.status, refused.data.code]).toEqual([409, 'STATE_IN_USE']);
		contexts.counts.clear();
		expect((await call('PUT', to, body)).status).toBe(200);
	});
});

test('an arena in use is taken out of use instead', async () => {
	const { to, record } = await kinds.arena.create(contexts.masterdata);
	expect(record['isActive']).toBe(true);
	const { type, surface, name } = record;
	const { data } = await call('PUT', to, { type, surface, name, isActive: false });
	expect(data['isActive']).toBe(false);
});
