import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { usualHashes } from '../../services/auth/test/password-hashes.ts';
import { quantile, type TimedResponse, timedRequest } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';

const accountCount = 100;
const password = 'a canter around the meadow';

let system: System;

beforeAll(async () => {
	// So that each attempt has its own client address and is not delayed for another one.
	const trusted = { TRUSTED_PROXIES: '127.0.0.1' };
	system = await startSystem({ contexts: ['auth'], services: usualHashes, gateway: trusted });
}, 60_000);

afterAll(async () => {
	await system?.stop();
});

const known = (index: number) => `rider-${index}@example.org`;
const unknown = (index: number) => `nobody-${index}@example.org`;
const post = (path: string, body: unknown, host: number): Promise<TimedResponse> =>
	timedRequest({
		port: system.gateway.port,
		path,
		method: 'POST',
		headers: { 'X-Forwarded-For': `198.51.100.${host}` },
		body: JSON.stringify(body),
	});

/** A response without its time and request id. */
function saying({ status, headers, body }: TimedResponse): unknown {
	const {
		timestamp: _timestamp,
		data,
		...rest
	} = JSON.parse(body) as {
		timestamp: string;
		data: { requestId: string };
	};
	const { requestId: _requestId, ...details } = data;
	return { status, headers: Object.keys(headers).sort(), length: headers['content-length'], details, rest };
}

test('200 sign-ins, known and unknown accounts interleaved: the same status, headers, body and time', async () => {
	for (let index = 0; index < accountCount; index += 1) {
		const person = { email: known(index), password, firstName: 'Rosa', lastName: 'Weiss' };
		expect((await post('/auth/register', person, index)).status).toBe(201);
	}
	const timesMs = { known: [] as number[], unknown: [] as number[] };
	const sayings = new Set<string>();
	const attempt = async (kind: 'known' | 'unknown', email: string, host: number): Promise<void> => {
		const response = await post('/auth/login', { email, password: 'two bales and a bucket' }, host);
		expect(response.status).toBe(401);
		sayings.add(JSON.stringify(saying(response)));
		timesMs[kind].push(response.durationMs);
	};
	for (let index = 0; index < accountCount; index += 1) {
		// Interleaved, so that other load of the machine affects both equally.
		await attempt('known', known(index), 2 * index);
		await attempt('unknown', unknown(index), 2 * index + 1);
	}
	expect([...sayings]).toHaveLength(1);
	for (const part of [0.1, 0.25, 0.5]) {
		const [a, b] = [quantile(timesMs.known, part), quantile(timesMs.unknown, part)];
		// Without a hash for unknown accounts it would be several times.
		expect(Math.max(a, b) / Math.min(a, b)).toBeLessThan(1.3);
	}
}, 120_000);
