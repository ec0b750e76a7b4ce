import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity, rawRequest, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { expectFailure, readResponse } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let upstream: TestUpstream;
let gateway: TestGateway;
const settings = { CONTEXTS: 'auth,horses,ping' };
const servicesAt = (url: string) => ({ 'horses-service': [url], 'ping-service': [url] });

beforeAll(async () => {
	upstream = await recordingUpstream();
	gateway = await startTestGateway({ services: servicesAt(upstream.url), settings });
});

afterAll(async () => {
	await gateway.close();
	await upstream.close();
});

async function call(to: TestGateway, path: string, token?: string, method = 'GET') {
	const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	return readResponse(await fetch(to.url + path, { method, headers }));
}

describe('protected routes', () => {
	it('a valid token gives access', async () => {
		expect((await call(gateway, '/api/horses', gateway.identity.sign())).status).toBe(200);
	});

	it('with a bad token: 401 that names the error (RFC 6750 §3.1)', async () => {
		const response = await call(gateway, '/api/horses', gateway.identity.signExpired());
		expectFailure(response, 401, 'TOKEN_EXPIRED');
		expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
	});

	it('without a token: 401 that names the scheme', async () => {
		const response = await call(gateway, '/api/horses');
		expectFailure(response, 401, 'UNAUTHENTICATED');
		expect(response.headers['www-authenticate']).toBe('Bearer');
	});

	it.each([
		['Bearer', 'INVALID_TOKEN'],
		['Bearer ', 'INVALID_TOKEN'],
		['Bearer a b', 'INVALID_TOKEN'],
		['Bearer a,b', 'INVALID_TOKEN'],
		// No bearer credentials, so no error of a token.
		['', 'UNAUTHENTICATED'],
		['Basic eDp5', 'UNAUTHENTICATED'],
		['Token x', 'UNAUTHENTICATED'],
		['x', 'UNAUTHENTICATED'],
	])('Authorization: %j is 401 %s', async (authorization, code) => {
		const before = upstream.requests.length;
		const head = `GET /api/horses HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`;
		const response = await rawRequest(gateway.port, head);
		expectFailure(response, 401, code);
		expect(response.headers['www-authenticate']).toBe(
			code === 'INVALID_TOKEN' ? 'Bearer error="invalid_token"' : 'Bearer',
		);
		expect(upstream.requests.length).toBe(before);
	});

	it('a token in the query or a cookie is ignored', async () => {
		const token = gateway.identity.sign();
		const inQuery = await call(gateway, `/api/horses?access_token=${token}`);
		const inCookie = await fetch(`${gateway.url}/api/horses`, {
			headers: { Cookie: `access_token=${token}` },
		});
		expect([inQuery.status, inCookie.status]).toEqual([401, 401]);
	});

	it('an expired token: 401 TOKEN_EXPIRED, so that the client refreshes it', async () => {
		expectFailure(await call(gateway, '/api/horses', gateway.identity.signExpired()), 401, 'TOKEN_EXPIRED');
	});

	it('every forged token: 401, and nothing reaches the service', async () => {
		const before = upstream.requests.length;
		const forged = gateway.identity.forge().filter(({ overHttp }) => overHttp);
		expect(forged.length).toBeGreaterThan(80);
		for (const { name, token } of forged) {
			const { status, body } = await call(gateway, '/api/horses', token);
			expect({ name, status, code: JSON.parse(body).data.code }).toEqual({
				name,
				status: 401,
				code: 'INVALID_TOKEN',
			});
		}
		expect(upstream.requests.length).toBe(before);
		expect((await call(gateway, '/api/horses', gateway.identity.sign())).status).toBe(200);
	});

	it('a token of 20 KB is refused by size', async () => {
		expectFailure(await call(gateway, '/api/horses', 'a'.repeat(20_000)), 431, 'HEADERS_TOO_LARGE');
	});

	it('a valid token of another issuer is refused', async () => {
		const stranger = await createTestIdentity({ ownKey: true });
		expectFailure(
			await call(gateway, '/api/horses', stranger.sign({ roles: ['ADMIN'] })),
			401,
			'INVALID_TOKEN',
		);
	});
});

describe('public routes', () => {
	it('an invalid or expired token is ignored', async () => {
		for (const token of ['x', gateway.identity.signExpired(), gateway.identity.forge()[0]?.token ?? '']) {
			expect((await call(gateway, '/api/ping', token)).status).toBe(200);
			expect((await call(gateway, '/auth/refresh', token, 'POST')).status).toBe(200);
		}
	});
});

describe('keys', () => {
	it('never reachable: 503 with Retry-After, not 401, since the token can’t be verified; public routes work', async () => {
		const keyless = await startTestGateway({
			services: { ...servicesAt(upstream.url), 'auth-service': [] },
			settings,
		});
		try {
			const response = await call(keyless, '/api/horses', keyless.identity.sign());
			expectFailure(response, 503, 'SERVICE_UNAVAILABLE');
			expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
			expectFailure(await call(keyless, '/api/horses'), 401, 'UNAUTHENTICATED');
			expect((await call(keyless, '/api/ping', keyless.identity.sign())).status).toBe(200);
		} finally {
			await keyless.close();
		}
	});

	it('once known: verification continues while auth is down', async () => {
		const lasting = await startTestGateway({ services: servicesAt(upstream.url), settings });
		try {
			expect((await call(lasting, '/api/horses', lasting.identity.sign())).status).toBe(200);
			await lasting.auth.close();
			lasting.registry.set('auth-service', []);
			expect((await call(lasting, '/api/horses', lasting.identity.sign())).status).toBe(200);
			const [forged] = lasting.identity.forge();
			expect((await call(lasting, '/api/horses', forged?.token)).status).toBe(401);
		} finally {
			await lasting.close();
		}
	});

	it('rotated: tokens of a new key are accepted at once, those of a withdrawn key refused, cached or not', async () => {
		const rotating = await startTestGateway({ services: servicesAt(upstream.url), settings });
		try {
			const old = rotating.identity.sign();
			// Tokens verified while the first keys arrive aren't cached; later ones are.
			for (const status of [200, 200]) expect((await call(rotating, '/api/horses', old)).status).toBe(status);
			expect(rotating.opened.deps.verifier.cacheSize()).toBe(1);
			const next = await createTestIdentity({ ownKey: true });
			rotating.identity.jwks.keys.splice(0, 1, ...next.jwks.keys);
			expect((await call(rotating, '/api/horses', next.sign())).status).toBe(200);
			expectFailure(await call(rotating, '/api/horses', old), 401, 'INVALID_TOKEN');
		} finally {
			await rotating.close();
		}
	});

	it('unknown key ids do not multiply the load on auth', async () => {
		const keyRequests = () =>
			gateway.auth.requests.filter(({ url }) => url === '/.well-known/jwks.json').length;
		const strangers = await Promise.all(
			Array.from({ length: 5 }, () => createTestIdentity({ ownKey: true })),
		);
		const before = keyRequests();
		await Promise.all(strangers.map((stranger) => call(gateway, '/api/horses', stranger.sign())));
		expect(keyRequests() - before).toBeLessThanOrEqual(1);
	});
});
