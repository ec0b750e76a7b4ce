import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { type System, type SystemService, startSystem } from '../system.ts';

export const contexts: readonly SystemService[] = ['auth', 'members', 'masterdata', 'ping'];
export const password = 'a canter around the meadow';
/** How soon a gateway must refuse what auth has revoked. */
export const effectMsMax = 2_000;

export let system: System;
/** An access token. */
export let administrator: string;

/** Starts the system for the tests of a file. */
export function useSystem(): void {
	beforeAll(async () => {
		system = await startSystem({ contexts });
		administrator = await system.signIn();
	}, 90_000);
	afterAll(async () => {
		await system?.stop();
	});
}

export interface Reply {
	readonly status: number;
	readonly data: Record<string, unknown> & { code?: string };
}

export async function send(
	method: string,
	path: string,
	token: string | undefined,
	body?: object,
	url = system.gateway.url,
): Promise<Reply> {
	const response = await fetch(url + path, {
		method,
		headers: {
			...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const { data } = (await response.json()) as { data: Reply['data'] };
	return { status: response.status, data };
}

export interface Person {
	readonly id: string;
	readonly email: string;
}

export async function personWith(roles: readonly string[]): Promise<Person> {
	const email = `p-${randomUUID().slice(0, 13)}@example.org`;
	const names = { firstName: 'Rosa', lastName: 'Weiss' };
	const registered = await send('POST', '/auth/register', undefined, { email, password, ...names });
	const signedIn = await send('POST', '/auth/login', undefined, { email, password });
	const id = String((signedIn.data['user'] as { id: string }).id);
	const given = await send('PUT', `/auth/users/${id}/roles`, administrator, { roles });
	expect([registered.status, given.status]).toEqual([201, 200]);
	return { id, email };
}

export interface Tokens {
	readonly accessToken: string;
	readonly refreshToken: string;
}

export async function signIn({ email }: Person): Promise<Tokens> {
	const { status, data } = await send('POST', '/auth/login', undefined, { email, password });
	expect(status).toBe(200);
	return data as unknown as Tokens;
}

let clubs = 0;

/** What an administrator does: everything that a closed account did for another quarter of an hour. */
export const forceBreaker = (token: string, url?: string) =>
	send('POST', '/actuator/breakers/ping/close', token, { reason: 'a test', expiresInSeconds: 1 }, url);
export const createClub = (token: string, url?: string) => {
	clubs += 1;
	const club = { clubNumber: String(1_100 + clubs), name: `Reitverein ${clubs}`, stateCode: 'AT-9' };
	return send('POST', '/api/members/clubs', token, club, url);
};
export const listMembers = (token: string, url?: string) =>
	send('GET', '/api/members', token, undefined, url);

export const setStatus = (id: string, status: string) =>
	send('PUT', `/auth/users/${id}/status`, administrator, { status });

/** The milliseconds until a token is refused as revoked; every response before that is a success. */
export async function msUntilRevoked(call: () => Promise<Reply>): Promise<number> {
	const startedMs = performance.now();
	await eventually('the token is refused', async () => {
		const { status, data } = await call();
		if (status === 200) return false;
		expect([status, data.code]).toEqual([401, 'TOKEN_REVOKED']);
		return true;
	});
	return performance.now() - startedMs;
}
