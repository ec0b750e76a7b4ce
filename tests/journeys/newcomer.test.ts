import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@paddock/testing';
import { type System, startSystem } from '../system.ts';

// One real system for the file: gateway and services as processes, real PostgreSQL, every response checked against openapi.yaml.
let system: System;
let api: ApiClient;

beforeAll(async () => {
	system = await startSystem();
	api = createApiClient(system.gateway.url);
}, 60_000);

afterAll(async () => {
	await system?.stop();
});

const newcomer = {
	email: 'lena.koppelbach@example.org',
	password: 'ein ruhiger Apfelschimmel',
	firstName: 'Lena',
	lastName: 'Koppelbach',
};

interface User {
	id: string;
	email: string;
	roles: string[];
}

interface SignedIn {
	accessToken: string;
	refreshToken: string;
	tokenType: string;
	expiresIn: number;
	user: User;
}

interface CountryPage {
	items: {
		id: string;
		isoAlpha2: string;
		isoNumeric: string;
		iocCode: string | null;
		isEuMember: boolean;
		isEeaMember: boolean;
	}[];
	pagination: { totalElements: number; hasNext: boolean };
}

test('a newcomer registers, signs in and reads the 249 countries of the world through the gateway', async () => {
	const registered = await api<{ email: string; verificationRequired: boolean }>('POST', '/auth/register', {
		body: newcomer,
	});
	expect(registered.status).toBe(201);
	expect(registered.data).toEqual({ email: newcomer.email, verificationRequired: false });
	expect(registered.text).not.toContain(newcomer.password);

	const signedIn = await api<SignedIn>('POST', '/auth/login', {
		body: { email: newcomer.email, password: newcomer.password },
	});
	expect(signedIn.status).toBe(200);
	expect(signedIn.data).toMatchObject({
		tokenType: 'Bearer',
		user: { email: newcomer.email, roles: ['MEMBER'] },
	});
	const token = signedIn.data.accessToken;

	const countries = [];
	for (let page = 1; ; page += 1) {
		const response = await api<CountryPage>('GET', `/api/masterdata/countries?page=${page}&size=200`, {
			token,
		});
		expect(response.status).toBe(200);
		expect(response.data.pagination.totalElements).toBe(249);
		countries.push(...response.data.items);
		if (!response.data.pagination.hasNext) break;
	}
	expect(new Set(countries.map((country) => country.isoAlpha2)).size).toBe(249);
	expect(countries.filter((country) => country.isEuMember)).toHaveLength(27);
	expect(countries.filter((country) => country.isEeaMember)).toHaveLength(30);
	expect(countries.find((country) => country.isoAlpha2 === 'AT')).toMatchObject({
		isoNumeric: '040',
		iocCode: 'AUT',
	});
	expect(countries.find((country) => country.isoAlpha2 === 'DE')).toMatchObject({ iocCode: 'GER' });

	const profile = await api<User>('GET', '/auth/profile', { token });
	expect(profile.data.id).toBe(signedIn.data.user.id);
});

describe('the rights of a role', () => {
	test('a member reads master data but does not write it; an officer appointed by an administrator does', async () => {
		const email = 'wendelin.trabitsch@example.org';
		await api('POST', '/auth/register', { body: { ...newcomer, email } });
		const signIn = () => system.signIn(email, newcomer.password);
		const venue = {
			name: 'Reitzentrum Donauauen',
			address: { street: 'Auweg 1', postalCode: '3430', city: 'Tulln' },
			countryCode: 'AT',
			timeZone: 'Europe/Vienna',
		};
		const asMember = await api('POST', '/api/masterdata/venues', { token: await signIn(), body: venue });
		expect([asMember.status, asMember.data['code']]).toEqual([403, 'FORBIDDEN']);

		const asAdmin = await system.signIn();
		const profile = await api<User>('GET', '/auth/profile', { token: await signIn() });
		const path = `/auth/users/${profile.data.id}/roles`;
		const granted = await api<User>('PUT', path, {
			token: asAdmin,
			body: { roles: ['MEMBER', 'FEDERATION_OFFICER'] },
		});
		expect(granted.status).toBe(200);

		// Roles travel in the token: the old one still says member, a new one says officer.
		const created = await api<{ id: string }>('POST', '/api/masterdata/venues', {
			token: await signIn(),
			body: venue,
		});
		expect(created.status).toBe(201);
		const read = await api('GET', created.headers.get('Location') ?? '');
		expect([read.status, read.data['id']]).toEqual([200, created.data.id]);
	});
});

test('a session continues with its refresh token and ends with logout', async () => {
	const login = await api<SignedIn>('POST', '/auth/login', {
		body: { email: newcomer.email, password: newcomer.password },
	});
	const renewed = await api<SignedIn>('POST', '/auth/refresh', {
		body: { refreshToken: login.data.refreshToken },
	});
	expect(renewed.status).toBe(200);
	expect(renewed.data.refreshToken).not.toBe(login.data.refreshToken);
	const out = await api('POST', '/auth/logout', { token: renewed.data.accessToken });
	expect(out.status).toBe(200);
	const after = await api('POST', '/auth/refresh', { body: { refreshToken: renewed.data.refreshToken } });
	expect(after.status).toBe(401);
});

test('health names every configured context and is UP', async () => {
	const health = await api<{ status: string; components: Record<string, { status: string }> }>(
		'GET',
		'/actuator/health',
	);
	expect([health.status, health.data.status]).toEqual([200, 'UP']);
	expect(Object.keys(health.data.components).sort()).toEqual([
		'auth',
		'discovery',
		'gateway',
		'masterdata',
		'ping',
	]);
	for (const component of Object.values(health.data.components)) expect(component.status).toBe('UP');
});

test('an unchanged list costs a 304', async () => {
	const first = await api('GET', '/api/masterdata/countries?size=10');
	const etag = first.headers.get('ETag') ?? '';
	const again = await api('GET', '/api/masterdata/countries?size=10', { headers: { 'If-None-Match': etag } });
	expect([again.status, again.text]).toEqual([304, '']);
	expect(again.headers.get('ETag')).toBe(etag);
});
