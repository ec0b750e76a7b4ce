import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { neverRespond, type Respond, respondWithEnvelope, respondWithStatus } from '@paddock/testing';
import { kinds, newVenue, send } from './invented-records.ts';
import { once, type ReferringContexts, referring, runReferringContexts } from './referring-contexts.ts';

let contexts: ReferringContexts;

beforeAll(async () => {
	contexts = await runReferringContexts();
});
afterAll(() => contexts.close());
beforeEach(() => {
	contexts.counts.clear();
	return contexts.stubs['events-service'].recover();
});

const call = (method: string, to: string, body?: object) => send(contexts.masterdata, method, to, body);

// Only this context's own database was checked.
describe.each(Object.entries(kinds))('DELETE of a %s', (_name, { create, code }) => {
	test.each(referring)('is refused while %s refers to it', async (service) => {
		const { to, query } = await create(contexts.masterdata);
		contexts.counts.set(service, 3);
		const { status, data } = await call('DELETE', to);
		expect([status, data.code, data['references']]).toEqual([409, code, 3]);
		expect(contexts.stubs[service].requests.at(-1)?.url).toBe(`/internal/references?${query}`);
		expect((await call('GET', to)).status).toBe(200);
		contexts.counts.delete(service);
		expect((await call('DELETE', to)).status).toBe(200);
		expect((await call('GET', to)).status).toBe(404);
	});

	const failures: [string, Respond][] = [
		['does not respond', neverRespond],
		['fails', respondWithStatus(500)],
		['lacks the route', respondWithStatus(404)],
		['responds with another shape', (_req, res) => respondWithEnvelope(res, 200, { count: '0' })],
	];

	test.each(failures)('is refused while a context %s', async (_how, respond) => {
		const { to } = await create(contexts.masterdata);
		contexts.stubs['events-service'].misbehave(respond);
		const { status, data } = await call('DELETE', to);
		expect([status, data.code]).toEqual(
			respond === neverRespond ? [504, 'UPSTREAM_TIMEOUT'] : [503, 'SERVICE_UNAVAILABLE'],
		);
		await contexts.stubs['events-service'].recover();
		expect((await call('GET', to)).status).toBe(200);
		expect((await call('DELETE', to)).status).toBe(200);
	});
});

// References to the new code were not counted.
test.each([
	['age class', { code: 'PROBE_CHANGED' }],
	['country', { isoNumeric: '998' }],
] as const)(
	'DELETE of a %s is refused if its code changes while references are counted',
	async (kind, changes) => {
		const { to } = await kinds[kind].create(contexts.masterdata);
		contexts.stubs['events-service'].misbehave(once(() => call('PUT', to, changes)));
		const { status, data } = await call('DELETE', to);
		expect([status, data.code]).toEqual([409, 'CONFLICT']);
		expect((await call('GET', to)).data).toMatchObject(changes);
		expect((await call('DELETE', to)).status).toBe(200);
	},
);

test('DELETE is refused while a context has no instance', async () => {
	const { id } = await newVenue(contexts.masterdata);
	const { url } = contexts.stubs['events-service'];
	contexts.registry.set('events-service', []);
	const { status, data } = await call('DELETE', `/venues/${id}`);
	expect([status, data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
	contexts.registry.set('events-service', [url]);
	expect((await call('DELETE', `/venues/${id}`)).status).toBe(200);
});
