import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTokenVerifier, internalAudience, type TokenVerifier } from '@paddock/identity';
import { developmentSecretOf } from '@paddock/service';
import { createMovingClock } from '@paddock/testing';
import { type RunningAuth, runAuth } from './running-auth.ts';

interface ServiceToken {
	readonly accessToken: string;
	readonly expiresIn: number;
	readonly scopes: readonly string[];
}

const secret = 'the-horses-own-secret-for-this-test';
const nextSecret = 'the-secret-that-replaces-it-for-horses';
const clock = createMovingClock(new Date('2026-04-01T08:00:00.000Z'));
let auth: RunningAuth;
let inside: TokenVerifier;

beforeAll(async () => {
	const list = [
		`horses-service=${secret}`,
		`members-service=${secret}-of-members`,
		`horses-service=${nextSecret}`,
	];
	const settings = { SERVICE_SECRETS: list.join(',') };
	auth = await runAuth({ settings, clock });
	inside = verifierOf(internalAudience('paddock'));
});
afterAll(() => auth.close());

/** Of another service, which knows only the published keys. */
function verifierOf(audience: string): TokenVerifier {
	return createTokenVerifier({ keys: auth.keys, issuer: 'paddock', audience, now: clock.now });
}

const send = <Data = ServiceToken>(body: unknown) =>
	auth.call<Data>('POST', '/internal/service-tokens', { body });

describe('a service token', () => {
	test('is for the inside only, for a quarter of an hour, with the scopes of the client', async () => {
		const { status, data, headers } = await send({ client: 'horses-service', secret });
		expect(status).toBe(200);
		expect(data).toMatchObject({ expiresIn: 900, scopes: ['mails:send', 'members:lookup'] });
		expect(headers.get('Cache-Control')).toBe('no-store');
		expect(await inside.verify(data.accessToken)).toMatchObject({
			userId: '5e000000-0000-4000-8000-000000000002',
			roles: [],
			scopes: ['mails:send', 'members:lookup'],
		});
		await expect(verifierOf('paddock').verify(data.accessToken)).rejects.toMatchObject({
			code: 'INVALID_TOKEN',
		});
	});

	test('is issued for either secret while one replaces the other', async () => {
		const { status, data } = await send({ client: 'horses-service', secret: nextSecret });
		expect([status, data.scopes]).toEqual([200, ['mails:send', 'members:lookup']]);
		expect((await send({ client: 'members-service', secret: nextSecret })).status).toBe(401);
	});

	test('has the scopes of its own client only', async () => {
		const { data } = await send({ client: 'members-service', secret: `${secret}-of-members` });
		const scopes = ['mails:send', 'horses:lookup', 'references:count'];
		expect(data.scopes).toEqual(scopes);
		expect((await inside.verify(data.accessToken)).scopes).toEqual(scopes);
	});

	test('is refused at routes for users', async () => {
		const { data } = await send({ client: 'horses-service', secret });
		const token = data.accessToken;
		expect((await auth.call('GET', '/auth/profile', { token })).data.code).toBe('INVALID_TOKEN');
		expect((await auth.call('GET', '/auth/users', { token })).data.code).toBe('INVALID_TOKEN');
	});

	test("cannot be replaced by a user's token", async () => {
		const { accessToken } = await auth.administrator();
		await expect(inside.verify(accessToken)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
	});
});

describe('no service token', () => {
	test.each([
		['for a wrong secret', 'horses-service', `${secret}x`],
		['for a part of the secret', 'horses-service', secret.slice(0, -1)],
		["for another client's secret", 'members-service', secret],
		['for a client without a secret here', 'events-service', developmentSecretOf('events-service')],
		['for an unknown client', 'nobody-service', secret],
		['for a name that every object has', 'constructor', secret],
	])('%s, and always the same response', async (_case, client, given) => {
		const { status, data, message } = await send<{ code: string }>({ client, secret: given });
		expect([status, data.code, message]).toEqual([
			401,
			'INVALID_CREDENTIALS',
			'The client or its secret is not right.',
		]);
	});

	test('for a body of another shape, all of it named', async () => {
		const { status, data } = await send<{ errors: { field: string }[] }>({ client: 1, extra: true });
		expect([status, data.errors.map(({ field }) => field).sort()]).toEqual([
			400,
			['client', 'extra', 'secret'],
		]);
	});
});
