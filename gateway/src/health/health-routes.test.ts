import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTokenVerifier, openRemoteKeySet } from '@paddock/identity';
import { mountRoutes } from '@paddock/service';
import { silentLogger } from '@paddock/telemetry';
import { createTestIdentity } from '@paddock/testing';
import express from 'express';
import request from 'supertest';
import { beginExchange } from '../../test/begin-exchange.ts';
import { errorResponder } from '../exchange/error-responder.ts';
import { requestListener } from '../exchange/pipeline.ts';
import { pageStep } from '../pages/gateway-pages.ts';
import { createHealthDetails } from './health-details.ts';
import { createHealthHistory } from './health-history.ts';
import { healthRoutes } from './health-routes.ts';
import { createLatencySamples } from './latency-samples.ts';

const state = { ready: true, draining: false };
let reads = 0;

const now = () => new Date('2026-01-01T00:00:00.000Z');
const noKeys = openRemoteKeySet({
	fetchKeys: () => Promise.reject(new Error('no instance')),
	now,
	logger: silentLogger(),
});
const verifier = createTokenVerifier({ keys: noKeys, issuer: 'auth', audience: 'api', now });
const pages = express();
mountRoutes(pages, healthRoutes('/ops'), {
	deps: {
		view: {
			read: () => {
				reads += 1;
				return Promise.reject(new Error('a bug'));
			},
		},
		history: createHealthHistory({ now, changesMax: 1 }),
		stream: {
			add: () => {
				throw new Error('no listener in this test');
			},
			listeners: () => 0,
			close: () => {},
		},
		details: createHealthDetails({ policy: 'authorized', verifier }),
		samples: createLatencySamples(),
		ready: () => state.ready,
		draining: () => state.draining,
	},
	verifier,
	bodyBytesMax: 1,
	addressOf: () => '127.0.0.1',
	checkResponses: true,
	now,
});
const respondError = errorResponder({ logger: silentLogger(), now });
const app = requestListener(beginExchange, [pageStep(pages, silentLogger())], respondError);

afterAll(() => noKeys.close());

beforeEach(() => {
	Object.assign(state, { ready: true, draining: false });
	reads = 0;
});

describe('readiness', () => {
	test.each([
		[true, false, 200, 'UP'],
		[false, false, 503, 'DOWN'],
		[true, true, 503, 'DOWN'],
		[false, true, 503, 'DOWN'],
	])('registry has responded: %s, draining: %s = %i', async (ready, draining, status, word) => {
		Object.assign(state, { ready, draining });
		const response = await request(app).get('/ops/health/readiness');
		expect(response.status).toBe(status);
		expect(response.body).toEqual({
			success: status === 200,
			data: { status: word, draining },
			message: `Status ${word}`,
			timestamp: '2026-01-01T00:00:00.000Z',
		});
	});
});

describe('liveness', () => {
	afterEach(() => {
		expect(reads).toBe(0);
	});

	test('is 200 while draining and before the registry has responded', async () => {
		Object.assign(state, { ready: false, draining: true });
		expect((await request(app).get('/ops/health/liveness')).status).toBe(200);
	});
});

describe('health', () => {
	test('that can not be computed is a 500 in an envelope', async () => {
		const response = await request(app).get('/ops/health');
		expect(response.status).toBe(500);
		expect(response.body).toMatchObject({ success: false, data: { code: 'INTERNAL_ERROR' } });
		expect(reads).toBe(1);
	});
});

test('while no token can be verified, a caller with a token sees every page as anonymous', async () => {
	const { sign } = await createTestIdentity();
	const read = (page: string) =>
		request(app)
			.get(`/ops/health/${page}`)
			.set('Authorization', `Bearer ${sign({ roles: ['ADMIN'] })}`);
	for (const page of ['liveness', 'readiness', 'history', 'samples'])
		expect([page, (await read(page)).status]).toEqual([page, 200]);
	expect((await read('samples')).body).toMatchObject({ data: { contexts: {} } });
});
