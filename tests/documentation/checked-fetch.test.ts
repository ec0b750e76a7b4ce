import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordingUpstream, type TestUpstream } from '@paddock/testing';
import { exampleOf } from '../../scripts/docs/example-of.ts';
import { openapiDocument } from '../../scripts/docs/openapi-text.ts';

// What every test below tests/ relies on: `fetch` there refuses responses that openapi.yaml doesn't describe.
const pong = { reply: 'pong', instance: 'a:1', uptimeSeconds: 1, at: '2026-05-01T10:00:00.000Z' };
let response: { status: number; body: unknown };
let upstream: TestUpstream;

beforeAll(async () => {
	upstream = await recordingUpstream((_req, res) => {
		res.writeHead(response.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(response.body));
	});
});

afterAll(async () => {
	await upstream.close();
});

const envelope = { success: true, data: pong, message: 'pong', timestamp: '2026-05-01T10:00:00.000Z' };

test.each([
	[
		'a key too many in the envelope',
		{ status: 200, body: { ...envelope, extra: 1 } },
		/additional properties/,
	],
	[
		'a key too many in the data',
		{ status: 200, body: { ...envelope, data: { ...pong, extra: 1 } } },
		/additional properties/,
	],
	[
		'data that breaks its schema',
		{ status: 200, body: { ...envelope, data: { ...pong, reply: 'ping' } } },
		/allowed values/,
	],
	['a status that is not listed', { status: 201, body: envelope }, /does not list|not list/],
	['a failure without a code', { status: 500, body: { ...envelope, success: false, data: {} } }, /code/],
])('%s is noticed', async (_name, wrong, words) => {
	response = wrong;
	await expect(fetch(`${upstream.url}/api/ping`)).rejects.toThrow(words);
});

const { schemas } = openapiDocument().components;
const [horse, guestHorse] = ['Horse', 'GuestHorse'].map(
	(name) => exampleOf({ $ref: `#/components/schemas/${name}` }, schemas) as Record<string, unknown>,
) as [Record<string, unknown>, Record<string, unknown>];
const path = `/api/horses/${String(horse['id'])}`;

// A horse extends the sport view, and that the guest view.
test.each([
	['unknown', { ...horse, extra: 1 }],
	['of a wider view', { ...guestHorse, ueln: horse['ueln'] }],
	[
		'unknown and nested',
		{ ...horse, owners: [{ memberId: null, externalParty: null, sharePercent: null, extra: 1 }] },
	],
])('a property too many is noticed in one of several views: %s', async (_name, data) => {
	response = { status: 200, body: { ...envelope, data } };
	await expect(fetch(upstream.url + path)).rejects.toThrow(/additional properties/);
});

test.each([
	['whole', horse],
	['guest', guestHorse],
])('passes the %s view', async (_name, data) => {
	response = { status: 200, body: { ...envelope, data } };
	expect((await fetch(upstream.url + path)).status).toBe(200);
});

test('passes documented responses and those of other servers', async () => {
	response = { status: 200, body: envelope };
	expect((await fetch(`${upstream.url}/api/ping?x=1`)).status).toBe(200);
	response = { status: 200, body: { whatever: true } };
	expect((await fetch(`${upstream.url}/v1/agent/services`)).status).toBe(200);
});
