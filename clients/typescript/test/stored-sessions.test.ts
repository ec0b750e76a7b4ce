import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { memoryStorage } from '../src/tokens.ts';
import {
	clientOf,
	fail,
	type ScriptedGateway,
	scriptedGateway,
	succeed,
	testRuntime,
} from './scripted-gateway.ts';

let gateway: ScriptedGateway;

beforeAll(async () => {
	gateway = await scriptedGateway();
});

afterAll(() => gateway.close());

const lena = { email: 'lena@example.org', password: 'ein ruhiger Apfelschimmel' };
const anna = { email: 'anna@example.org', password: 'ein unruhiger Rappe' };
const tokens = (name: string) => ({
	accessToken: `access-${name}`,
	refreshToken: `refresh-${name}`,
	expiresIn: 900,
	user: { id: name.slice(0, 4) },
});
const signIn = (name: string) => succeed({ ...tokens(name), deviceToken: 'device' });
const pong = succeed({ reply: 'pong' });
const authorizations = (path: string) => gateway.to(path).map(({ headers }) => headers.authorization);

test.each(['same', 'other'])(
	'a call is not repeated with the token of an account that signs in before its response, in the %s tab',
	async (tab) => {
		const storage = memoryStorage();
		const paddock = clientOf(gateway, { storage });
		gateway.script(signIn('lena'));
		await paddock.signIn(lena);
		let respond: (() => void) | undefined;
		gateway.script(
			(res, req) => {
				respond = () => fail(401, 'TOKEN_EXPIRED')(res, req);
			},
			succeed({ sessionId: 's', endedAt: '' }),
			signIn('anna'),
			pong,
		);
		const call = paddock.delete('/api/horses/{id}', { path: { id: 'x' }, ifMatch: { version: 1 } });
		await eventually('the call has arrived', () => respond !== undefined);
		const signingIn = tab === 'same' ? paddock : clientOf(gateway, { storage });
		await signingIn.signOut();
		await signingIn.signIn(anna);
		respond?.();
		await expect(call).rejects.toMatchObject({ name: 'SessionEndedError' });
		expect(authorizations('/api/horses/x')).toEqual(['Bearer access-lena']);
		await paddock.get('/api/ping');
		expect(authorizations('/api/ping')).toEqual(['Bearer access-anna']);
	},
);

test('a call does not wait for the pending refresh of another account', async () => {
	const runtime = testRuntime();
	const paddock = clientOf(gateway, { runtime });
	gateway.script(signIn('lena'));
	await paddock.signIn(lena);
	runtime.advance(901_000);
	let respond: (() => void) | undefined;
	gateway.script(
		(res, req) => {
			respond = () => succeed(tokens('lena-2'))(res, req);
		},
		signIn('anna'),
		(res, req) => (req.url === '/auth/refresh' ? succeed(tokens('anna-2')) : pong)(res, req),
	);
	const left = paddock.get('/api/masterdata/countries');
	await eventually('the refresh has arrived', () => respond !== undefined);
	await expect(paddock.signOut({ signal: AbortSignal.abort(new Error('no time')) })).rejects.toThrow(
		'no time',
	);
	await paddock.signIn(anna);
	runtime.advance(901_000);
	const call = paddock.get('/api/ping');
	respond?.();
	await Promise.all([left, call]);
	expect(authorizations('/api/ping')).toEqual(['Bearer access-anna-2']);
	expect(paddock.isSignedIn()).toBe(true);
});

test.each(['{"accessToken":', 'null', '{}'])('a damaged stored session, %s, is removed', async (text) => {
	const storage = memoryStorage();
	const key = `paddock.session ${gateway.url}`;
	storage.setItem(key, text);
	const paddock = clientOf(gateway, { storage });
	gateway.script(pong);
	expect(await paddock.get('/api/ping')).toEqual({ reply: 'pong' });
	expect(paddock.isSignedIn()).toBe(false);
	expect(storage.getItem(key)).toBeNull();
});
