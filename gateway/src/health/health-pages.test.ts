import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import express from 'express';
import request from 'supertest';
import { requestStart } from '../edge/request-start.ts';
import { errorResponder } from '../errors.ts';
import { gatewayPages } from '../gateway-pages.ts';
import { inOrder } from '../pipeline.ts';
import { createHealthHistory } from './health-history.ts';
import { healthPages } from './health-pages.ts';
import { createLatencySamples } from './latency-samples.ts';

const state = { ready: true, draining: false };
let reads = 0;

const now = () => new Date('2026-01-01T00:00:00.000Z');
const pages = express();
pages.use(
	healthPages('/ops', {
		view: {
			read: () => {
				reads += 1;
				return Promise.reject(new Error('a bug'));
			},
		},
		history: createHealthHistory({ now, changesMax: 1 }),
		stream: {
			add: () => {
				throw new Error('nobody listens here');
			},
			listeners: () => 0,
			close: () => {},
		},
		details: { forEverybody: false, visibleTo: () => Promise.resolve(false) },
		samples: createLatencySamples(),
		ready: () => state.ready,
		draining: () => state.draining,
		now,
	}),
);
const respondError = errorResponder({ logger: silentLogger(), now, headers: [], app: pages });
const app = inOrder(
	[requestStart({ isTrustedPeer: () => false }), gatewayPages(pages, silentLogger(), respondError)],
	respondError,
);

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
	])('registry answered: %s, draining: %s = %i', async (ready, draining, status, word) => {
		Object.assign(state, { ready, draining });
		const answer = await request(app).get('/ops/health/readiness');
		expect(answer.status).toBe(status);
		expect(answer.body).toEqual({
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

	test('is 200 while draining and before the registry has answered', async () => {
		Object.assign(state, { ready: false, draining: true });
		expect((await request(app).get('/ops/health/liveness')).status).toBe(200);
	});
});

describe('health', () => {
	test('that can not be computed is a 500 in an envelope', async () => {
		const answer = await request(app).get('/ops/health');
		expect(answer.status).toBe(500);
		expect(answer.body).toMatchObject({ success: false, data: { code: 'INTERNAL_ERROR' } });
		expect(reads).toBe(1);
	});
});
