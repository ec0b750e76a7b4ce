import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectFailure, readResponse } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const limit = 3;
/** As long as the tokens that auth issues. */
const newToken = () => randomBytes(32).toString('base64url');

let gateway: TestGateway;

beforeEach(async () => {
	gateway = await startTestGateway({
		settings: { RATE_LIMIT_SIGN_IN: String(limit), RATE_LIMIT_ANONYMOUS: '4', TRUSTED_PROXIES: '127.0.0.1' },
	});
});

afterEach(() => gateway.close());

async function post(path: string, options: { body?: unknown; device?: string; address?: string } = {}) {
	const { body = {}, device, address = '203.0.113.1' } = options;
	const response = await fetch(gateway.url + path, {
		method: 'POST',
		headers: {
			'Content-Type': 'application/json',
			'X-Forwarded-For': address,
			...(device === undefined ? {} : { 'X-Device-Token': device }),
		},
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
	return readResponse(response);
}

/** @returns the number of calls that were not refused */
async function passed(count: number, call: () => ReturnType<typeof post>): Promise<number> {
	let allowed = 0;
	for (let at = 0; at < count; at += 1) {
		const response = await call();
		if (response.status === 429) expectFailure(response, 429, 'RATE_LIMITED');
		else allowed += 1;
	}
	return allowed;
}

describe('the limit of sign-ins', () => {
	it('counts sign-ins without a device token and registrations of one address together', async () => {
		expect(await passed(2, () => post('/auth/login'))).toBe(2);
		expect(await passed(4, () => post('/auth/register'))).toBe(1);
		expect(await passed(1, () => post('/auth/login'))).toBe(0);
		expect(await passed(1, () => post('/auth/login', { address: '203.0.113.2' }))).toBe(1);
	});

	it.each(['/auth/oidc/exchange', '/auth/oidc/link'])(
		'counts %s of one address apart from its other sign-ins',
		async (path) => {
			expect(await passed(limit + 1, () => post(path))).toBe(limit);
			expect(await passed(1, () => post(path, { device: newToken() }))).toBe(0);
			expect(await passed(limit + 1, () => post('/auth/login'))).toBe(limit);
			expect(await passed(1, () => post(path, { address: '203.0.113.8' }))).toBe(1);
		},
	);

	it('counts requests for a mail of one address apart from its sign-ins, in both directions', async () => {
		const body = { email: 'anna@example.org' };
		expect(await passed(2, () => post('/auth/forgot-password', { body }))).toBe(2);
		expect(await passed(4, () => post('/auth/resend-verification', { body }))).toBe(1);
		expect(await passed(1, () => post('/auth/oidc/link/mail'))).toBe(0);
		expect(await passed(1, () => post('/auth/change-email'))).toBe(0);
		expect(await passed(limit + 1, () => post('/auth/login'))).toBe(limit);
		const address = '203.0.113.9';
		expect(await passed(limit + 1, () => post('/auth/login', { address }))).toBe(limit);
		expect(await passed(limit + 1, () => post('/auth/forgot-password', { body, address }))).toBe(limit);
	});

	it('counts claims of members by user, whatever the address', async () => {
		const claims = async (userId: string, count: number) => {
			const headers = { Authorization: `Bearer ${gateway.identity.sign({ userId })}` };
			let calls = 0;
			const claim = async () => {
				calls += 1;
				const from = { 'X-Forwarded-For': `203.0.113.${calls}` };
				return readResponse(
					await fetch(`${gateway.url}/auth/member-links`, {
						method: 'POST',
						headers: { ...headers, ...from },
					}),
				);
			};
			return passed(count, claim);
		};
		const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
		expect(await claims(one, limit + 2)).toBe(limit);
		expect(await claims(other, 1)).toBe(1);
	});

	it('lets a device token sign in and a session be refreshed from an address whose limit is used up', async () => {
		expect(await passed(limit + 2, () => post('/auth/login'))).toBe(limit);
		const device = newToken();
		expect(await passed(limit + 2, () => post('/auth/login', { device }))).toBe(limit);
		const body = { refreshToken: newToken() };
		expect(await passed(limit + 2, () => post('/auth/refresh', { body }))).toBe(limit);
		expect(await passed(1, () => post('/auth/login'))).toBe(0);
	});

	it('allows ten times as many sign-ins with forged device tokens, and then none from the address', async () => {
		expect(await passed(12 * limit, () => post('/auth/login', { device: newToken() }))).toBe(10 * limit);
		// Refreshes and other addresses have separate limits.
		expect(await passed(1, () => post('/auth/refresh', { body: { refreshToken: newToken() } }))).toBe(1);
		expect(await passed(1, () => post('/auth/login', { device: newToken(), address: '203.0.113.2' }))).toBe(
			1,
		);
	});

	it('allows ten times as many refreshes with forged tokens, and then none from the address', async () => {
		const refresh = () => post('/auth/refresh', { body: { refreshToken: newToken() } });
		expect(await passed(12 * limit, refresh)).toBe(10 * limit);
		expect(await passed(1, () => post('/auth/login', { device: newToken() }))).toBe(1);
	});

	it('counts no token of an address at its limit, so that invented ones need no memory', async () => {
		await passed(10 * limit, () => post('/auth/login', { device: newToken() }));
		const device = newToken();
		for (let at = 0; at < limit + 2; at += 1) {
			const { headers } = await post('/auth/login', { device });
			expect(headers['ratelimit-limit']).toBe(String(10 * limit));
		}
		const metrics = await gateway.opened.deps.operations.metrics.registry.metrics();
		expect(metrics).toMatch(
			/gateway_rate_limit_total\{[^}]*policy="deviceSignIn",outcome="allowed"[^}]*\} 30/,
		);
	});

	it('counts a refresh by its token, from any address', async () => {
		const body = { refreshToken: newToken() };
		let calls = 0;
		const refresh = () => {
			calls += 1;
			return post('/auth/refresh', { body, address: `203.0.113.${calls}` });
		};
		expect(await passed(limit + 2, refresh)).toBe(limit);
	});

	it('does not count a refused token against its address', async () => {
		const device = newToken();
		expect(await passed(12 * limit, () => post('/auth/login', { device }))).toBe(limit);
		expect(await passed(limit, () => post('/auth/login', { device: newToken() }))).toBe(limit);
		const body = { refreshToken: newToken() };
		expect(await passed(12 * limit, () => post('/auth/refresh', { body }))).toBe(limit);
		const other = { refreshToken: newToken() };
		expect(await passed(limit, () => post('/auth/refresh', { body: other }))).toBe(limit);
	});

	it.each([
		['shorter', 'x'],
		['longer', `${'x'.repeat(44)}`],
		['with other characters', `${'x'.repeat(42)}=`],
	])('ignores a device token that auth cannot have issued: %s', async (_name, device) => {
		expect(await passed(limit + 2, () => post('/auth/login', { device }))).toBe(limit);
		expect(await passed(1, () => post('/auth/login'))).toBe(0);
	});

	it.each([
		['not JSON', '{'],
		['null', 'null'],
		['without a token', '{}'],
		['a token that is not a string', '{"refreshToken":1}'],
		['too large to hold one', JSON.stringify({ refreshToken: 'x', more: 'x'.repeat(10_000) })],
	])('counts a refresh without a usable token by its address: %s', async (_name, body) => {
		expect(await passed(10 * limit + 2, () => post('/auth/refresh', { body }))).toBe(10 * limit);
	});

	it('does not apply to other methods at these paths', async () => {
		const get = async () => readResponse(await fetch(`${gateway.url}/auth/refresh`));
		expect(await passed(6, get)).toBe(4);
		expect(await passed(1, () => post('/auth/login'))).toBe(1);
	});

	it('returns the headers of the limit closest to exhaustion', async () => {
		const { headers } = await post('/auth/refresh', { body: { refreshToken: newToken() } });
		expect(headers).toMatchObject({
			'ratelimit-limit': String(limit),
			'ratelimit-remaining': String(limit - 1),
		});
	});

	it('releases the body of a refused refresh', async () => {
		const body = { refreshToken: newToken() };
		expect(await passed(limit + 2, () => post('/auth/refresh', { body }))).toBe(limit);
		const metrics = await gateway.opened.deps.operations.metrics.registry.metrics();
		expect(metrics).toMatch(/^gateway_request_body_buffer_bytes(\{[^}]*\})? 0$/m);
		expect(metrics).toMatch(/gateway_rate_limit_total\{[^}]*policy="refresh",outcome="limited"[^}]*\} 2/);
	});
});

it('a deployment without auth limits refreshes, too', async () => {
	const other = await startTestGateway({
		services: { 'ping-service': [] },
		settings: { RATE_LIMIT_SIGN_IN: '1', CONTEXTS: 'ping' },
	});
	try {
		const statuses: number[] = [];
		for (let at = 0; at < 12; at += 1)
			statuses.push((await fetch(`${other.url}/auth/refresh`, { method: 'POST' })).status);
		expect(statuses).toEqual([...Array<number>(10).fill(404), 429, 429]);
	} finally {
		await other.close();
	}
});
