import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordingUpstream, respondOk, type TestUpstream } from '@paddock/testing';
import { sendRequest } from './send-request.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let masterdata: TestUpstream;
let gateway: TestGateway;
let limited: TestGateway;

beforeAll(async () => {
	masterdata = await recordingUpstream(respondOk);
	const services = { 'masterdata-service': [masterdata.url] };
	const settings = { CONTEXTS: 'auth,masterdata' };
	gateway = await startTestGateway({ services, settings });
	limited = await startTestGateway({ services, settings: { ...settings, HEALTH_DETAILS: 'authorized' } });
});

afterAll(async () => {
	await gateway?.close();
	await limited?.close();
	await masterdata?.close();
});

describe('a health stream with ?events=n', () => {
	test('ends after n events', async () => {
		const response = await fetch(`${gateway.url}/actuator/health/stream?events=2`);
		const text = await response.text();
		expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
		expect(text.match(/^event: health$/gm)).toHaveLength(2);
	});

	test.each(['0', '-1', '1.5', 'all', '', '1e3', '10000000'])('refuses events=%s', async (events) => {
		const response = await sendRequest(gateway.port, { path: `/actuator/health/stream?events=${events}` });
		expect([response.status, response.json().data]).toEqual([
			400,
			expect.objectContaining({
				code: 'INVALID_QUERY_PARAMETER',
				errors: [expect.objectContaining({ field: 'events' })],
			}),
		]);
	});
});

describe('health samples', () => {
	test('contain status and latency of every probed service', async () => {
		await sendRequest(gateway.port, { path: '/actuator/health' });
		const { data } = (await sendRequest(gateway.port, { path: '/actuator/health/samples' })).json();
		expect(data).toEqual({
			slotMs: 10_000,
			slotsMax: 90,
			contexts: {
				auth: expect.arrayContaining([expect.objectContaining({ latencyMs: expect.any(Number) })]),
				masterdata: expect.arrayContaining([
					{ at: expect.stringMatching(/0\.000Z$/), status: 'UP', latencyMs: expect.any(Number) },
				]),
			},
		});
	});

	test('are empty for callers who may not see details', async () => {
		await sendRequest(limited.port, { path: '/actuator/health' });
		const path = '/actuator/health/samples';
		const anonymous = (await sendRequest(limited.port, { path })).json();
		expect(anonymous.data['contexts']).toEqual({});
		const token = await limited.identity.sign({ roles: ['FEDERATION_OFFICER'] });
		const officer = (await sendRequest(limited.port, { path, token })).json();
		expect(Object.keys(officer.data['contexts'] ?? {})).toEqual(['auth', 'masterdata']);
	});
});
