import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { accountSubject, sessionSubject } from '@paddock/identity';
import { eventually, patient, patientMs, startStopwatch } from '@paddock/testing';
import { expectRefusal, override } from './override-breakers.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';

/** A gateway that follows the revocation feed, with horses-service. */
async function benchGateway(settings: Record<string, string> = {}) {
	const upstream = await bench.upstream();
	return { upstream, gateway: await bench.gateway([upstream.url], settings) };
}

const ended = (sessionId: string) => ({ subject: sessionSubject(sessionId), before: null });
const post = (gateway: BenchGateway, token: string) =>
	gateway.send({ method: 'POST', path, body: '{}', token });

async function refusedWithin(deadlineMs: number, gateway: BenchGateway, token: string): Promise<void> {
	const isRefused = async () => (await gateway.send({ path, token })).status === 401;
	await eventually('the token is refused', isRefused, deadlineMs);
	expectRefusal(await gateway.send({ path, token }), 'TOKEN_REVOKED');
}

describe('a revoked token', () => {
	test('is refused within two seconds although it is cached; other tokens of the account stay valid', async () => {
		const { gateway } = await benchGateway();
		const [sessionId, userId] = [randomUUID(), randomUUID()];
		const token = gateway.identity.sign({ sessionId, userId });
		const ofOther = gateway.identity.sign({ userId });
		expect((await gateway.send({ path, token })).status).toBe(200);
		gateway.auth.revoke(ended(sessionId));
		await refusedWithin(2_000, gateway, token);
		expect((await gateway.send({ path, token: ofOther })).status).toBe(200);
	});

	test('is one issued before a change of its account; later ones are accepted', async () => {
		const { gateway } = await benchGateway();
		const userId = randomUUID();
		const before = gateway.identity.sign({ userId, accountVersion: 4 });
		gateway.auth.revoke({ subject: accountSubject(userId), before: 5 });
		await refusedWithin(2_000, gateway, before);
		const after = gateway.identity.sign({ userId, accountVersion: 5 });
		expect((await gateway.send({ path, token: after })).status).toBe(200);
	});

	test('counts against the limit of its address, like every refused token', async () => {
		const { gateway } = await benchGateway({ RATE_LIMIT_ANONYMOUS: '3' });
		const sessionId = randomUUID();
		const token = gateway.identity.sign({ sessionId });
		gateway.auth.revoke(ended(sessionId));
		const statuses = new Set<number>();
		await eventually('requests are rate-limited', async () => {
			statuses.add((await gateway.send({ path, token })).status);
			return statuses.has(429);
		});
		expect(statuses.has(401)).toBe(true);
	});
});

describe('while the feed is lost', () => {
	test('reads and ordinary writes continue; health and metrics show it; known revocations stay in force', async () => {
		const { gateway } = await benchGateway();
		const sessionId = randomUUID();
		const [revoked, token] = [gateway.identity.sign({ sessionId }), gateway.identity.sign()];
		gateway.auth.revoke(ended(sessionId));
		await refusedWithin(2_000, gateway, revoked);
		const health = async () => (await gateway.send({ path: '/actuator/health/gateway' })).json().data;
		expect(await health()).toMatchObject({
			status: 'UP',
			revocations: { stale: false, ageSeconds: expect.any(Number) },
		});
		gateway.auth.feed = 'lost';
		const isStale = async () => (await gateway.counted('gateway_revocations_stale', {})) === 1;
		await eventually('the list is stale', isStale, 15_000);
		expect(await health()).toMatchObject({ status: 'DEGRADED', revocations: { stale: true } });
		expect(await gateway.counted('gateway_revocations_age_seconds', {})).toBeGreaterThan(4);
		expect((await gateway.send({ path, token })).status).toBe(200);
		expect((await post(gateway, token)).status).toBe(200);
		expect((await gateway.send({ path, token: revoked })).status).toBe(401);
		gateway.auth.feed = 'followed';
		await eventually('the list is current', async () => !(await isStale()));
		expect((await gateway.send({ path: '/actuator/health' })).json().data).toMatchObject({
			components: { gateway: { status: 'UP' } },
		});
	}, 40_000);
});

describe('an administrative write', () => {
	const roles = ['ADMIN', 'FEDERATION_OFFICER'] as const;

	test.each(roles)('of %s is refused as soon as auth reports the session ended', async (role) => {
		const { upstream, gateway } = await benchGateway();
		const token = gateway.identity.sign({ roles: ['MEMBER', role] });
		expect((await post(gateway, token)).status).toBe(200);
		expect(gateway.auth.sessionChecks()).toBe(1);
		gateway.auth.session = 'over';
		expectRefusal(await post(gateway, token), 'TOKEN_REVOKED');
		expect(upstream.requests).toHaveLength(1);
		expect(await gateway.counted('gateway_request_body_buffer_bytes', {})).toBe(0);
		expect(await gateway.counted('gateway_session_checks_total', { outcome: 'live' })).toBe(1);
		expect(await gateway.counted('gateway_session_checks_total', { outcome: 'revoked' })).toBe(1);
	});

	test.each(['PUT', 'PATCH', 'DELETE'])('is checked with method %s', async (method) => {
		const { upstream, gateway } = await benchGateway();
		gateway.auth.session = 'over';
		const token = gateway.identity.sign({ roles: ['ADMIN'] });
		expectRefusal(await gateway.send({ method, path, token, body: '{}' }), 'TOKEN_REVOKED');
		expect(upstream.requests).toEqual([]);
	});

	test('is never accepted while auth is unreachable: 503 within the deadline, then at once', async () => {
		const { upstream, gateway } = await benchGateway({ SESSION_CHECK_TIMEOUT_MS: '100' });
		gateway.auth.session = 'silent';
		const token = gateway.identity.sign({ roles: ['FEDERATION_OFFICER'] });
		const elapsedMs = startStopwatch();
		const refused = await post(gateway, token);
		expectRefusal(refused, 'SERVICE_UNAVAILABLE');
		expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
		expect(elapsedMs()).toBeLessThan(patient(1_000));
		// Ten failures open the breaker of the session checks, which is separate from that of requests to auth.
		for (let round = 0; round < 6; round += 1)
			expectRefusal(await post(gateway, token), 'SERVICE_UNAVAILABLE');
		const checks = gateway.auth.sessionChecks();
		expectRefusal(await post(gateway, token), 'SERVICE_UNAVAILABLE');
		expect(gateway.auth.sessionChecks()).toBe(checks);
		expect((await gateway.send({ path: '/auth/profile', token })).status).toBe(200);
		expect(upstream.requests).toEqual([]);
	});

	test.each([path, '/actuator/breakers/horses/open'])(
		'whose headers arrived before the session ended is refused when its body arrives: POST %s',
		async (at) => {
			const { upstream, gateway } = await benchGateway();
			const token = gateway.identity.sign({ roles: ['ADMIN'] });
			const body = JSON.stringify({ reason: 'its database is being moved' });
			const socket = connect(gateway.port, '127.0.0.1');
			let response = '';
			socket.on('data', (chunk) => {
				response += String(chunk);
			});
			socket.write(
				`POST ${at} HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body[0]}`,
			);
			const verified = () => gateway.opened.deps.verifier.verifyCached(token) !== undefined;
			await eventually('the headers have arrived', verified);
			gateway.auth.session = 'over';
			socket.write(body.slice(1));
			await once(socket, 'close');
			expect(response).toMatch(/^HTTP\/1\.1 401 /);
			expect(response).toContain('TOKEN_REVOKED');
			expect(upstream.requests).toEqual([]);
			expect(await gateway.counted('gateway_circuit_breaker_forced', {})).toBe(0);
		},
	);

	// It was logged and counted as a 503 that no client received.
	test('whose client disconnects during the check is not counted as refused', async () => {
		const { upstream, gateway } = await benchGateway();
		gateway.auth.session = 'silent';
		const token = gateway.identity.sign({ roles: ['ADMIN'] });
		const socket = connect(gateway.port, '127.0.0.1');
		socket.write(
			`POST ${path} HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${token}\r\nContent-Length: 2\r\n\r\n{}`,
		);
		await eventually('the session is being checked', () => gateway.auth.sessionChecks() === 1);
		// An ordinary end would be that of the request only.
		socket.resetAndDestroy();
		const checks = () => gateway.counted('gateway_session_checks_total', { outcome: 'aborted' });
		await eventually('the check has ended', async () => (await checks()) === 1);
		expect(await gateway.counted('gateway_refusals_total', {})).toBe(0);
		expect(upstream.requests).toEqual([]);
	});

	test('reads, and requests of other roles, need no check', async () => {
		const { gateway } = await benchGateway();
		gateway.auth.session = 'over';
		const [officer, member] = [gateway.identity.sign({ roles: ['ADMIN'] }), gateway.identity.sign()];
		expect((await gateway.send({ path, token: officer })).status).toBe(200);
		expect((await gateway.send({ path, token: member })).status).toBe(200);
		expect((await post(gateway, member)).status).toBe(200);
		expect(gateway.auth.sessionChecks()).toBe(0);
	});

	test('to auth itself needs no check: auth reads the session with the change', async () => {
		const { gateway } = await benchGateway();
		gateway.auth.session = 'over';
		const token = gateway.identity.sign({ roles: ['ADMIN'] });
		const response = await gateway.send({ method: 'POST', path: '/auth/logout', token });
		expect(response.status).toBe(200);
		expect(gateway.auth.sessionChecks()).toBe(0);
	});
});

describe('an override of a breaker', () => {
	const reason = 'its database is being moved';

	test('is refused if auth reports the session ended or is unreachable', async () => {
		const { gateway } = await benchGateway({ SESSION_CHECK_TIMEOUT_MS: patientMs(500) });
		gateway.auth.session = 'over';
		expectRefusal(await override(gateway, 'horses/open', { reason }), 'TOKEN_REVOKED');
		gateway.auth.session = 'silent';
		expectRefusal(await override(gateway, 'horses/open', { reason }), 'SERVICE_UNAVAILABLE');
		expect((await gateway.send({ path })).status).toBe(200);
	});

	test('of auth’s own breaker can be withdrawn', async () => {
		const { gateway } = await benchGateway();
		expect((await override(gateway, 'auth/open', { reason })).status).toBe(200);
		expect((await gateway.send({ path: '/auth/profile' })).status).toBe(503);
		expect((await override(gateway, 'auth/auto', { reason })).status).toBe(200);
		expect((await gateway.send({ path: '/auth/profile' })).status).toBe(200);
	});
});
