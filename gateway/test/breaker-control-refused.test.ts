import { describe, expect, test } from '@jest/globals';
import { expectRefusal, override } from './override-breakers.ts';
import { type SentAnswer, sendRequest } from './send-request.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';
const reason = 'its database is being moved';

function anonymous(gateway: BenchGateway, action: string): Promise<SentAnswer> {
	return sendRequest(gateway.port, {
		method: 'POST',
		path: `/actuator/breakers/${action}`,
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ reason }),
	});
}

describe('an order is refused', () => {
	const body = { reason };
	const refusals: [string, number, string, (gateway: BenchGateway) => Promise<SentAnswer>][] = [
		['without a token', 401, 'UNAUTHENTICATED', (at) => anonymous(at, 'horses/open')],
		['with a bad one', 401, 'INVALID_TOKEN', (at) => override(at, 'horses/open', body, { token: 'x.y.z' })],
		[
			'with an expired one',
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
		['for no context', 404, 'NOT_FOUND', (at) => override(at, 'nothing/open', body)],
		['for no context of an object', 404, 'NOT_FOUND', (at) => override(at, '__proto__/open', body)],
		['for no action', 404, 'ROUTE_NOT_FOUND', (at) => override(at, 'horses/halfway', body)],
		['for no instance', 404, 'NOT_FOUND', (at) => override(at, 'horses/open?instance=nobody', body)],
		[
			'for two instances',
			400,
			'INVALID_QUERY_PARAMETER',
			(at) => override(at, 'horses/open?instance=a&instance=b', body),
		],
		[
			'with another parameter',
			400,
			'INVALID_QUERY_PARAMETER',
			(at) => override(at, 'horses/open?instances=a', body),
		],
		['without a reason', 400, 'VALIDATION_ERROR', (at) => override(at, 'horses/open', {})],
		['with an empty one', 400, 'VALIDATION_ERROR', (at) => override(at, 'horses/open', { reason: '  ' })],
		[
			'with a long one',
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
			'with more',
			400,
			'VALIDATION_ERROR',
			(at) => override(at, 'horses/open', { reason, by: 'somebody else' }),
		],
		['as a list', 400, 'VALIDATION_ERROR', (at) => override(at, 'horses/open', [])],
		['as no JSON', 400, 'MALFORMED_JSON', (at) => override(at, 'horses/open', '{')],
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
		const answer = await send(gateway);
		expect(answer.status).toBe(status);
		expectRefusal(answer, code);
		expect((await gateway.send({ path })).status).toBe(200);
		expect(gateway.opened.deps.operations.overrides.list()).toEqual([]);
	});

	test('too often, whoever asks, so that tokens can’t be tried out here either', async () => {
		const gateway = await bench.gateway([], { RATE_LIMIT_ANONYMOUS: '2' });
		const statuses = [];
		for (let round = 0; round < 3; round += 1)
			statuses.push((await override(gateway, 'horses/open', body, { token: 'x.y.z' })).status);
		expect(statuses).toEqual([401, 401, 429]);
	});
});
