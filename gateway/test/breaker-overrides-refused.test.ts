import { describe, expect, test } from '@jest/globals';
import { expectRefusal, override } from './override-breakers.ts';
import { type ReceivedResponse, sendRequest } from './send-request.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';
const reason = 'its database is being moved';

function anonymous(gateway: BenchGateway, action: string): Promise<ReceivedResponse> {
	return sendRequest(gateway.port, {
		method: 'POST',
		path: `/actuator/breakers/${action}`,
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ reason }),
	});
}

describe('an override is refused', () => {
	const body = { reason };
	const refusals: [string, number, string, (gateway: BenchGateway) => Promise<ReceivedResponse>][] = [
		['without a token', 401, 'UNAUTHENTICATED', (at) => anonymous(at, 'horses/open')],
		[
			'with an invalid token',
			401,
			'INVALID_TOKEN',
			(at) => override(at, 'horses/open', body, { token: 'x.y.z' }),
		],
		[
			'with an expired token',
			401,
			'TOKEN_EXPIRED',
			(at) => override(at, 'horses/open', body, { token: at.identity.signExpired({ roles: ['ADMIN'] }) }),
		],
		[
			'from an officer',
			403,
			'FORBIDDEN',
			(at) =>
				override(at, 'horses/open', body, { token: at.identity.sign({ roles: ['FEDERATION_OFFICER'] }) }),
		],
		['for an unknown context', 404, 'NOT_FOUND', (at) => override(at, 'nothing/open', body)],
		['for a property of Object.prototype', 404, 'NOT_FOUND', (at) => override(at, '__proto__/open', body)],
		['for an unknown action', 404, 'ROUTE_NOT_FOUND', (at) => override(at, 'horses/halfway', body)],
		['for an unknown instance', 404, 'NOT_FOUND', (at) => override(at, 'horses/open?instance=nobody', body)],
		[
			'for two instances',
			400,
			'INVALID_QUERY_PARAMETER',
			(at) => override(at, 'horses/open?instance=a&instance=b', body),
		],
		[
			'with an unknown parameter',
			400,
			'INVALID_QUERY_PARAMETER',
			(at) => override(at, 'horses/open?instances=a', body),
		],
		['without a reason', 400, 'VALIDATION_ERROR', (at) => override(at, 'horses/open', {})],
		['with an empty reason', 400, 'VALIDATION_ERROR', (at) => override(at, 'horses/open', { reason: '  ' })],
		[
			'with a reason that is too long',
			400,
			'VALIDATION_ERROR',
			(at) => override(at, 'horses/open', { reason: 'x'.repeat(201) }),
		],
		[
			'for no time',
			400,
			'VALIDATION_ERROR',
			(at) => override(at, 'horses/open', { reason, expiresInSeconds: 0 }),
		],
		[
			'for ever',
			400,
			'VALIDATION_ERROR',
			(at) => override(at, 'horses/open', { reason, expiresInSeconds: 86_401 }),
		],
		[
			'for half a second',
			400,
			'VALIDATION_ERROR',
			(at) => override(at, 'horses/open', { reason, expiresInSeconds: 0.5 }),
		],
		[
			'with an unknown field',
			400,
			'VALIDATION_ERROR',
			(at) => override(at, 'horses/open', { reason, by: 'somebody else' }),
		],
		['as an array', 400, 'VALIDATION_ERROR', (at) => override(at, 'horses/open', [])],
		['with malformed JSON', 400, 'MALFORMED_JSON', (at) => override(at, 'horses/open', '{')],
		[
			'as text',
			415,
			'UNSUPPORTED_MEDIA_TYPE',
			(at) => override(at, 'horses/open', body, { headers: { 'Content-Type': 'text/plain' } }),
		],
		['by PUT', 405, 'METHOD_NOT_ALLOWED', (at) => override(at, 'horses/open', body, { method: 'PUT' })],
	];

	test.each(refusals)('%s: %i %s', async (_name, status, code, send) => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		const response = await send(gateway);
		expect(response.status).toBe(status);
		expectRefusal(response, code);
		expect((await gateway.send({ path })).status).toBe(200);
		expect(gateway.opened.deps.operations.overrides.list()).toEqual([]);
	});

	test('above the rate limit, so that tokens can’t be guessed here', async () => {
		const gateway = await bench.gateway([], { RATE_LIMIT_ANONYMOUS: '2' });
		const statuses = [];
		for (let round = 0; round < 3; round += 1)
			statuses.push((await override(gateway, 'horses/open', body, { token: 'x.y.z' })).status);
		expect(statuses).toEqual([401, 401, 429]);
	});
});
