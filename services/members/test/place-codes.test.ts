import { afterEach, expect, test } from '@jest/globals';
import {
	neverRespond,
	type Respond,
	respondWithEnvelope,
	respondWithStatus,
	type TestFailure,
} from '@paddock/testing';
import type { Member } from '../src/members/schemas.ts';
import { useMembers } from './running-members.ts';
import { bodyOf, membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);
const fiveMinutesMs = 5 * 60_000;

afterEach(async () => {
	await members.masterdata.recover();
	members.registry.set('masterdata-service', [members.masterdata.url]);
	// The cache has expired, and breakers have passed their reset timeout.
	members.clock.advance(fiveMinutesMs + 1);
});

function post<Data = TestFailure>(body: object) {
	return members.call<Data>('POST', path, { token: members.officer, body });
}

async function total(): Promise<number> {
	return (await members.db.selectFrom('members').select('id').execute()).length;
}

const failing: [string, Respond, number, string][] = [
	['never responds', neverRespond, 504, 'UPSTREAM_TIMEOUT'],
	['fails', respondWithStatus(500), 503, 'SERVICE_UNAVAILABLE'],
	['is starting', respondWithStatus(503), 503, 'SERVICE_UNAVAILABLE'],
	['says something else', (_req, res) => respondWithEnvelope(res, 200, ['AT']), 503, 'SERVICE_UNAVAILABLE'],
	['says no JSON', (_req, res) => res.end('<html>'), 503, 'SERVICE_UNAVAILABLE'],
];

test.each(failing)('while the master data %s, nothing is stored', async (_how, response, expected, code) => {
	members.masterdata.misbehave(response);
	const before = await total();
	const { status, data, headers } = await post(person());
	expect([status, data.code]).toEqual([expected, code]);
	if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
	expect(await total()).toBe(before);
});

test('while master data is down, nothing is stored; afterwards it works', async () => {
	members.registry.set('masterdata-service', []);
	const before = await total();
	expect((await post(person())).status).toBe(503);
	expect(await total()).toBe(before);
	members.registry.set('masterdata-service', [members.masterdata.url]);
	expect((await post(person())).status).toBe(201);
});

test('codes are remembered for five minutes and no longer', async () => {
	const { masterdata } = members;
	const body = () => person({ address: { city: 'Furt', stateCode: 'AT-3' } });
	expect((await post(body())).status).toBe(201);
	const requested = masterdata.requests.length;
	members.clock.advance(fiveMinutesMs - 1);
	masterdata.misbehave(respondWithStatus(500));
	// Another state of the country came with the same response.
	expect((await post(person({ address: { city: 'Graz', stateCode: 'AT-6' } }))).status).toBe(201);
	expect(masterdata.requests.length).toBe(requested);
	members.clock.advance(1);
	expect((await post(body())).status).toBe(503);
});

test('an unknown code is requested again: it may have been added', async () => {
	const body = () => person({ nationality: 'FR' });
	expect((await post(body())).data.errors).toMatchObject([
		{ field: 'nationality', code: 'INVALID_REFERENCE' },
	]);
	members.masterdata.misbehave((_req, res) =>
		respondWithEnvelope(res, 200, { isoAlpha2: 'FR', isoNumeric: '250' }),
	);
	expect((await post(body())).status).toBe(201);
});

test('a checked code is not checked again while it does not change', async () => {
	const member = await records.createMember({
		nationality: 'DE',
		address: { city: 'Furt', stateCode: 'AT-3' },
	});
	members.clock.advance(fiveMinutesMs + 1);
	members.registry.set('masterdata-service', []);
	const put = (changes: object) =>
		members.call<Member>('PUT', `${path}/${member.id}`, {
			token: members.officer,
			body: bodyOf(member, { updatedAt: undefined, version: undefined, ...changes }),
		});
	expect((await put({ phoneNumber: '+4312345678' })).data.phoneNumber).toBe('+4312345678');
	expect((await put({ nationality: 'CH' })).status).toBe(503);
	expect((await put({ address: { city: 'Furt', stateCode: 'AT-6' } })).status).toBe(503);
	expect((await records.storedRow(member.id))?.nationality).toBe('DE');
});

test('a question carries the request’s id and no token', async () => {
	await members.call('POST', path, {
		token: members.officer,
		body: person(),
		headers: { 'X-Request-Id': 'ask-1' },
	});
	const requested = members.masterdata.requests.at(-1);
	expect([requested?.headers['x-request-id'], requested?.headers.authorization]).toEqual([
		'ask-1',
		undefined,
	]);
});
