import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, freePort } from '@paddock/testing';
import { type Client, createClient, NetworkError } from '../src/index.ts';
import { memoryStorage } from '../src/tokens.ts';
import {
	clientOf,
	cutOff,
	fail,
	neverRespond,
	type Respond,
	type ScriptedGateway,
	scriptedGateway,
	succeed,
	type TestRuntime,
	testRuntime,
} from './scripted-gateway.ts';

let gateway: ScriptedGateway;

beforeAll(async () => {
	gateway = await scriptedGateway();
});

afterAll(() => gateway.close());

const account = { email: 'Lena@example.org', password: 'ein ruhiger Apfelschimmel' };
const user = { id: 'u1', firstName: 'Lena' };
const tokens = (number: number) => ({
	accessToken: `access-${number}`,
	refreshToken: `refresh-${number}`,
	expiresIn: 900,
	user,
});
const pong = succeed({ reply: 'pong' });

/** A client that is signed in; its access token expires after 15 minutes. */
async function signedIn(
	options: Parameters<typeof clientOf>[1] = {},
): Promise<{ paddock: Client; runtime: TestRuntime }> {
	const runtime = testRuntime();
	const paddock = clientOf(gateway, { runtime, ...options });
	gateway.script(succeed({ ...tokens(1), deviceToken: 'device-1' }));
	expect(await paddock.signIn(account)).toEqual(user);
	return { paddock, runtime };
}

/** Refreshes with the tokens of `number`, and refuses other access tokens like the gateway. */
function accepting(number: number, refresh: Respond = succeed(tokens(number))): Respond {
	return (res, req) => {
		if (req.url === '/auth/refresh') return refresh(res, req);
		const isAccepted = req.headers.authorization === `Bearer access-${number}`;
		return (isAccepted ? pong : fail(401, 'TOKEN_EXPIRED'))(res, req);
	};
}

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));
const refreshTokensSent = () =>
	gateway.to('/auth/refresh').map(({ body }) => JSON.parse(body).refreshToken as string);

test('calls send the access token of the sign-in; without one they send none', async () => {
	gateway.script(pong);
	await clientOf(gateway).get('/api/ping');
	expect(gateway.requests[0]?.headers).not.toHaveProperty('authorization');
	const { paddock } = await signedIn();
	gateway.script(pong);
	await paddock.get('/api/ping');
	expect(gateway.requests[0]?.headers.authorization).toBe('Bearer access-1');
});

test('a sign-in with a second factor asks for the code and keeps no token of the first step', async () => {
	const runtime = testRuntime();
	const paddock = clientOf(gateway, { runtime });
	const required = fail(403, 'SECOND_FACTOR_REQUIRED', {}, { challengeToken: 'challenge' });
	gateway.script(required);
	await expect(paddock.signIn(account)).rejects.toMatchObject({
		code: 'SECOND_FACTOR_REQUIRED',
		data: { challengeToken: 'challenge' },
	});
	expect(paddock.isSignedIn()).toBe(false);
	gateway.script(required, succeed({ ...tokens(1), deviceToken: 'device-1' }));
	expect(await paddock.signIn(account, { secondFactor: async () => '492039' })).toEqual(user);
	expect(gateway.to('/auth/login/second-factor').map(({ body }) => JSON.parse(body))).toEqual([
		{ challengeToken: 'challenge', code: '492039' },
	]);
	// The second step is not repeated with a code that was wrong.
	gateway.script(required, fail(400, 'SECOND_FACTOR_WRONG'));
	await expect(paddock.signIn(account, { secondFactor: () => '1' })).rejects.toMatchObject({
		code: 'SECOND_FACTOR_WRONG',
	});
});

test('a step-up replaces the access token and keeps the refresh token', async () => {
	const { paddock, runtime } = await signedIn();
	gateway.script(succeed({ accessToken: 'access-9', tokenType: 'Bearer', expiresIn: 900 }), pong);
	await paddock.stepUp('492039');
	await paddock.get('/api/ping');
	expect(gateway.requests.map(({ headers }) => headers.authorization)).toEqual([
		'Bearer access-1',
		'Bearer access-9',
	]);
	runtime.advance(900_000);
	gateway.script(accepting(2));
	await paddock.get('/api/ping');
	expect(refreshTokensSent()).toEqual(['refresh-1']);
});

test('with a cookie a client resumes the session of an earlier page, and tells the gateway to use it', async () => {
	const paddock = clientOf(gateway, { runtime: testRuntime(), refreshCookie: true });
	gateway.script(fail(401, 'INVALID_TOKEN'));
	expect(await paddock.resume()).toBeUndefined();
	expect(paddock.isSignedIn()).toBe(false);
	gateway.script(succeed(tokens(1)), pong);
	expect(await paddock.resume()).toEqual(user);
	await paddock.get('/api/ping');
	expect(gateway.requests.map(({ headers }) => [headers['x-refresh-cookie'], headers.authorization])).toEqual(
		[
			['on', undefined],
			[undefined, 'Bearer access-1'],
		],
	);
	gateway.script(fail(503, 'SERVICE_UNAVAILABLE'));
	await expect(paddock.resume()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
	expect(gateway.requests).toHaveLength(1);
});

// A token whose successor has been used ends the session, and the third of three tabs sent one.
test('tabs that are restored at once resume one after the other, each with the cookie of the one before', async () => {
	let cookie = 1;
	const sent: (string | undefined)[] = [];
	gateway.script((res, req) => {
		sent.push(String(req.headers['x-cookie']));
		succeed(tokens(Number(req.headers['x-cookie']) + 1))(res, req);
	});
	const browser = async (request: Request) => {
		request.headers.set('X-Cookie', String(cookie));
		const response = await fetch(request);
		const { data } = (await response.clone().json()) as { data: { refreshToken: string } };
		cookie = Number(data.refreshToken.replace('refresh-', ''));
		return response;
	};
	const tabs = Array.from({ length: 3 }, () => clientOf(gateway, { fetch: browser, refreshCookie: true }));
	expect(await Promise.all(tabs.map((tab) => tab.resume()))).toEqual([user, user, user]);
	expect(sent).toEqual(['1', '2', '3']);
});

test('a refresh that returns another account, which signed in in another tab, ends the session', async () => {
	const { paddock, runtime } = await signedIn({ refreshCookie: true });
	runtime.advance(900_000);
	gateway.script(succeed({ ...tokens(2), user: { id: 'u2' } }));
	await expect(paddock.get('/api/ping')).rejects.toMatchObject({ name: 'SessionEndedError' });
	expect(gateway.to('/api/ping')).toEqual([]);
	expect(paddock.isSignedIn()).toBe(false);
});

test('adopts the tokens of a sign-in that was completed elsewhere, and the access token of a step-up', async () => {
	const paddock = clientOf(gateway, { runtime: testRuntime() });
	paddock.adopt({ ...tokens(3), deviceToken: 'd', user: { ...user, email: account.email } } as never);
	gateway.script(pong);
	await paddock.get('/api/ping');
	expect(gateway.requests[0]?.headers.authorization).toBe('Bearer access-3');
	paddock.adopt({ accessToken: 'access-4', tokenType: 'Bearer', expiresIn: 900 });
	gateway.script(pong);
	await paddock.get('/api/ping');
	expect(gateway.requests[0]?.headers.authorization).toBe('Bearer access-4');
});

test('a later sign-in to the account sends its device token, after signing out too', async () => {
	const { paddock } = await signedIn();
	expect(gateway.requests[0]?.headers).not.toHaveProperty('x-device-token');
	gateway.script(
		succeed({ sessionId: 's', endedAt: '' }),
		succeed({ ...tokens(2), deviceToken: 'device-2' }),
	);
	await paddock.signOut();
	await paddock.signIn({ ...account, email: 'lena@example.org' });
	await paddock.signIn({ ...account, email: 'anna@example.org' });
	expect(gateway.to('/auth/login').map(({ headers }) => headers['x-device-token'])).toEqual([
		'device-1',
		undefined,
	]);
});

test.each(['with', 'without'])(
	'20 parallel calls with an expired access token refresh it once, %s Web Locks',
	async (locks) => {
		const { navigator } = globalThis;
		if (locks === 'without')
			Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
		const { paddock, runtime } = await signedIn();
		gateway.script(accepting(2));
		runtime.advance(901_000);
		expect(await times(20, () => paddock.get('/api/ping'))).toHaveLength(20);
		Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
		expect(refreshTokensSent()).toEqual(['refresh-1']);
		expect(gateway.to('/api/ping')).toHaveLength(20);
	},
);

test('20 parallel calls whose access token the gateway refuses refresh it once and are sent again', async () => {
	const { paddock } = await signedIn();
	gateway.script(accepting(2));
	const change = () => paddock.delete('/api/horses/{id}', { path: { id: 'x' }, ifMatch: { version: 1 } });
	await Promise.all([times(10, () => paddock.get('/api/ping')), times(10, change)]);
	expect(refreshTokensSent()).toEqual(['refresh-1']);
	expect(gateway.to('/api/horses/x')).toHaveLength(20);

	gateway.script(accepting(3));
	await times(20, () => paddock.get('/api/ping'));
	expect(refreshTokensSent()).toEqual(['refresh-2']);
});

test('the body is sent again with the refreshed token', async () => {
	const { paddock } = await signedIn();
	gateway.script(accepting(2));
	await paddock.post('/api/horses/{id}/suspend', {
		path: { id: 'x' },
		body: { reason: 'age' },
		ifMatch: 'any',
	});
	expect(gateway.to('/api/horses/x/suspend').map(({ body }) => body)).toEqual(
		Array(2).fill('{"reason":"age"}'),
	);
});

test('clients that share a storage, such as two tabs, refresh once', async () => {
	const storage = memoryStorage();
	const { runtime } = await signedIn({ storage });
	const tabs = [clientOf(gateway, { storage, runtime }), clientOf(gateway, { storage, runtime })];
	gateway.script(accepting(2));
	await Promise.all(tabs.map((tab) => times(5, () => tab.get('/api/ping'))));
	expect(refreshTokensSent()).toEqual(['refresh-1']);
});

test('a failed refresh signs out, with a typed error for each call', async () => {
	const { paddock } = await signedIn();
	gateway.script(accepting(2, fail(401, 'INVALID_TOKEN')));
	const calls = await Promise.allSettled(Array.from({ length: 5 }, () => paddock.get('/api/ping')));
	for (const call of calls)
		expect(call).toMatchObject({
			status: 'rejected',
			reason: { name: 'SessionEndedError', cause: { code: 'INVALID_TOKEN' } },
		});
	expect(paddock.isSignedIn()).toBe(false);
	expect(refreshTokensSent()).toEqual(['refresh-1']);
	gateway.script(fail(401, 'UNAUTHENTICATED'));
	await expect(paddock.get('/api/ping')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
	expect(gateway.requests[0]?.headers).not.toHaveProperty('authorization');
});

const lostResponses: [string, Respond][] = [
	['was cut off', cutOff],
	['did not come in time', neverRespond],
	['is a failure after the gateway forwarded it', fail(504, 'UPSTREAM_TIMEOUT')],
	[
		'came from a proxy',
		(res) => res.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>Sign in to the WLAN</h1>'),
	],
];

test.each(lostResponses)('a refresh whose response %s is sent once more', async (_name, lost) => {
	const { paddock } = await signedIn({ timeoutMs: 2_000 });
	let isFirst = true;
	gateway.script(
		accepting(2, (res, req) => {
			const respond = isFirst ? lost : succeed(tokens(2));
			isFirst = false;
			respond(res, req);
		}),
	);
	expect(
		await paddock.post('/api/horses/{id}/suspend', {
			path: { id: 'x' },
			body: { reason: 'age' },
			ifMatch: 'any',
		}),
	).toEqual({ reply: 'pong' });
	expect(refreshTokensSent()).toEqual(['refresh-1', 'refresh-1']);
	expect(paddock.isSignedIn()).toBe(true);
});

// A response that is lost while a page loads would leave the used token in the cookie until the page is loaded again.
test.each(lostResponses)(
	'a session whose first refresh has a response that %s is resumed',
	async (_name, lost) => {
		const paddock = clientOf(gateway, { refreshCookie: true, timeoutMs: 2_000 });
		gateway.script(lost, succeed(tokens(2)));
		expect(await paddock.resume()).toEqual(user);
		expect(refreshTokensSent()).toEqual(['cookie', 'cookie']);
	},
);

test.each(lostResponses)(
	'the client stays signed in if the second response of a refresh %s too',
	async (_name, lost) => {
		const { paddock } = await signedIn({ timeoutMs: 2_000 });
		gateway.script(accepting(2, lost));
		const change = { path: { id: 'x' }, body: { reason: 'age' }, ifMatch: 'any' } as const;
		await expect(paddock.post('/api/horses/{id}/suspend', change)).rejects.not.toMatchObject({
			name: 'SessionEndedError',
		});
		expect(refreshTokensSent()).toEqual(['refresh-1', 'refresh-1']);
		expect(paddock.isSignedIn()).toBe(true);
		gateway.script(accepting(2));
		expect(await paddock.get('/api/ping')).toEqual({ reply: 'pong' });
	},
);

test('clients that share a storage without Web Locks stay signed in if both refresh at once', async () => {
	const { navigator } = globalThis;
	Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
	const storage = memoryStorage();
	const { runtime } = await signedIn({ storage });
	const tabs = [clientOf(gateway, { storage, runtime }), clientOf(gateway, { storage, runtime })];
	const waiting: (() => void)[] = [];
	gateway.script(
		accepting(2, (res, req) => {
			waiting.push(() => succeed(tokens(2))(res, req));
			if (waiting.length === 2) for (const respond of waiting) respond();
		}),
	);
	expect(await Promise.all(tabs.map((tab) => tab.get('/api/ping')))).toEqual(
		Array(2).fill({ reply: 'pong' }),
	);
	Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
	expect(refreshTokensSent()).toEqual(['refresh-1', 'refresh-1']);
	expect(tabs.map((tab) => tab.isSignedIn())).toEqual([true, true]);
});

test('a refresh that was refused before it reached the accounts is repeated after Retry-After', async () => {
	const { paddock, runtime } = await signedIn();
	const refused = fail(503, 'CIRCUIT_OPEN', { 'Retry-After': '8' });
	gateway.script(accepting(2, refused), accepting(2, refused), accepting(2));
	expect(await paddock.get('/api/ping')).toEqual({ reply: 'pong' });
	expect(runtime.pauses).toEqual([9_000]);
	expect(paddock.isSignedIn()).toBe(true);
});

test('without a connection the client stays signed in', async () => {
	const storage = memoryStorage();
	const baseUrl = `http://127.0.0.1:${await freePort()}`;
	storage.setItem(
		`paddock.session ${baseUrl}`,
		JSON.stringify({ ...tokens(1), userId: user.id, expiresAt: 0 }),
	);
	const paddock = createClient({ baseUrl, storage, runtime: testRuntime() });
	await expect(paddock.get('/api/ping')).rejects.toMatchObject({ name: 'NetworkError', unsent: true });
	expect(paddock.isSignedIn()).toBe(true);
});

test('a caller that aborts does not end the refresh that others wait for', async () => {
	const { paddock } = await signedIn();
	let respond: (() => void) | undefined;
	gateway.script(
		accepting(2, (res, req) => {
			respond = () => succeed(tokens(2))(res, req);
		}),
	);
	const leaving = new AbortController();
	const left = paddock.get('/api/ping', { signal: leaving.signal });
	const stayed = paddock.get('/api/ping');
	await eventually('the refresh has arrived', () => respond !== undefined);
	leaving.abort(new Error('left'));
	await expect(left).rejects.toThrow('left');
	respond?.();
	expect(await stayed).toEqual({ reply: 'pong' });
});

test('signing out forgets the tokens and ends the session at the gateway', async () => {
	const { paddock } = await signedIn();
	gateway.script(succeed({ sessionId: 's', endedAt: '' }));
	await paddock.signOut();
	await paddock.signOut();
	expect(gateway.to('/auth/logout').map(({ headers }) => headers.authorization)).toEqual(['Bearer access-1']);
	expect(paddock.isSignedIn()).toBe(false);
});

test('signing out forgets the tokens even if the request to the gateway fails, and reports the failure', async () => {
	const { paddock } = await signedIn();
	gateway.script(cutOff);
	await expect(paddock.signOut()).rejects.toBeInstanceOf(NetworkError);
	expect(paddock.isSignedIn()).toBe(false);
});

test('signing out with a cookie, which only the gateway can remove, can be repeated after a failure', async () => {
	const { paddock } = await signedIn({ refreshCookie: true });
	const ended = succeed({ sessionId: 's', endedAt: '' });
	gateway.script(cutOff, fail(503, 'SERVICE_UNAVAILABLE'), ended);
	await expect(paddock.signOut()).rejects.toBeInstanceOf(NetworkError);
	await expect(paddock.signOut()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
	expect(paddock.isSignedIn()).toBe(true);
	await paddock.signOut();
	expect(
		gateway.to('/auth/logout').map(({ headers }) => [headers.authorization, headers['x-refresh-cookie']]),
	).toEqual(Array(3).fill(['Bearer access-1', 'on']));
	expect(paddock.isSignedIn()).toBe(false);
});

test('signing out of a session that has ended succeeds', async () => {
	const { paddock } = await signedIn();
	gateway.script(accepting(2, fail(401, 'INVALID_TOKEN')));
	await paddock.signOut();
	expect(paddock.isSignedIn()).toBe(false);
});

test('a refresh in flight does not undo a sign-out', async () => {
	const { paddock } = await signedIn();
	let respond: (() => void) | undefined;
	gateway.script((res, req) => {
		if (req.url !== '/auth/refresh') return accepting(2)(res, req);
		respond = () => succeed(tokens(2))(res, req);
	});
	const call = paddock.get('/api/ping');
	await eventually('the refresh has arrived', () => respond !== undefined);
	const left = AbortSignal.abort(new Error('no time'));
	await expect(paddock.signOut({ signal: left })).rejects.toThrow('no time');
	respond?.();
	await call;
	expect(paddock.isSignedIn()).toBe(false);
});
