import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RecordedRequest, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let upstream: TestUpstream;
let gateway: TestGateway;

beforeAll(async () => {
	upstream = await recordingUpstream();
	gateway = await startTestGateway({
		services: { 'horses-service': [upstream.url] },
		settings: { CONTEXTS: 'auth,horses' },
	});
});

afterAll(async () => {
	await gateway.close();
	await upstream.close();
});

/** Sends a request with this trace. @returns the request received by the service */
async function traced(traceparent: string): Promise<RecordedRequest> {
	const headers = { Authorization: `Bearer ${gateway.identity.sign()}`, traceparent, tracestate: 'a=1' };
	expect((await fetch(`${gateway.url}/api/horses`, { headers })).status).toBe(200);
	const request = upstream.requests.at(-1);
	if (request === undefined) throw new Error('the service received no request');
	return request;
}

describe('request id and trace', () => {
	it.each(['abc', 'A-b_c.9', 'x'.repeat(64)])('the caller’s id %s is forwarded and returned', async (id) => {
		const response = await fetch(`${gateway.url}/api/horses`, {
			headers: { 'X-Request-Id': id, Authorization: `Bearer ${gateway.identity.sign()}` },
		});
		expect(response.headers.get('x-request-id')).toBe(id);
		expect(upstream.requests.at(-1)?.headers['x-request-id']).toBe(id);
	});

	it('X-Correlation-ID is accepted as well', async () => {
		const response = await fetch(`${gateway.url}/nothing`, { headers: { 'X-Correlation-ID': 'corr-7' } });
		expect(response.headers.get('x-request-id')).toBe('corr-7');
	});

	it.each(['a b', 'x'.repeat(65), 'a\tb', 'a/b', '<b>', 'a, b', 'é', '%0a'])(
		'the id %j is replaced',
		async (id) => {
			const response = await fetch(`${gateway.url}/nothing`, { headers: { 'X-Request-Id': id } });
			expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
			expect(await response.json()).toMatchObject({
				data: { requestId: response.headers.get('x-request-id') },
			});
		},
	);

	const traceId = '0af7651916cd43dd8448eb211c80319c';

	it('a trace is continued with a new span', async () => {
		const request = await traced(`00-${traceId}-b7ad6b7169203331-01`);
		expect(request.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
		expect(request.headers['traceparent']).not.toContain('b7ad6b7169203331');
		expect(request.headers['tracestate']).toBe('a=1');
	});

	it.each([
		'x',
		`00-${traceId}-0000000000000000-01`,
		`00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
		`ff-${traceId}-b7ad6b7169203331-01`,
		`00-${traceId.toUpperCase()}-b7ad6b7169203331-01`,
		`00-${traceId}-b7ad6b7169203331-01-more`,
	])('the invalid traceparent %s starts a new trace, without tracestate', async (traceparent) => {
		const request = await traced(traceparent);
		expect(request.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
		expect(request.headers['traceparent']).not.toContain(traceId);
		expect(request.headers).not.toHaveProperty('tracestate');
	});
});
