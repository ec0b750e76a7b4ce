import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, rawRequest } from '@paddock/testing';
import { declaredRoutes, internalRoutes } from '../../scripts/contexts/context-routes.ts';
import { systemServiceSecrets } from '../system.ts';
import { system } from './tried-system.ts';

let serviceToken: string;

beforeAll(async () => {
	serviceToken = await issueServiceToken(authUrl());
}, 60_000);

const authUrl = () => system.services.auth[0]?.url ?? '';

const credentials = () => ({ client: 'events-service', secret: systemServiceSecrets.events });

/** As another service gets it, past the gateway. */
async function issueServiceToken(url: string): Promise<string> {
	const response = await post(`${url}/internal/service-tokens`, credentials());
	const { data } = (await response.json()) as { data: { accessToken: string; scopes: string[] } };
	expect([response.status, data.scopes]).toEqual([200, ['mails:send', 'members:lookup', 'horses:lookup']]);
	return data.accessToken;
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
	fetch(url, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});

const codeOf = async (response: Response): Promise<string> =>
	((await response.json()) as { data: { code: string } }).data.code;

/** Spellings that some hop may normalise to the path. */
function spellings(path: string): string[] {
	return [
		path,
		`/${path}`,
		`${path}/`,
		`${path}?x=/auth/login`,
		path.toUpperCase(),
		`/auth${path}`,
		`/auth/..${path}`,
		`/auth/%2e%2e${path}`,
		`/api/ping/..%2f..${path}`,
		`/auth/login/../..${path}`,
		`/%69nternal${path.slice('/internal'.length)}`,
		`http://127.0.0.1${path}`,
	];
}

test('there are internal addresses, and no document names them', () => {
	expect(internalRoutes.map(({ path }) => path)).toContain('/internal/service-tokens');
	expect(internalRoutes.every(({ path }) => path.startsWith('/internal/'))).toBe(true);
	const documented = Object.values(declaredRoutes).flat();
	expect(documented.filter(({ path }) => path.includes('internal'))).toEqual([]);
});

describe('through the gateway', () => {
	const addresses = [...new Set(internalRoutes.map(({ path }) => path.replaceAll(/\{\w+\}/g, 'a')))];

	test.each(addresses)('%s is not found, for any caller', async (path) => {
		const admin = await system.signIn();
		for (const token of [undefined, admin, serviceToken]) {
			const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
			for (const response of [
				await fetch(system.gateway.url + path, { headers }),
				await post(system.gateway.url + path, credentials(), headers),
			]) {
				expect([response.status, await codeOf(response)]).toEqual([404, 'ROUTE_NOT_FOUND']);
			}
		}
	});

	test.each(addresses.flatMap(spellings))('%s returns no service token', async (target) => {
		const body = JSON.stringify(credentials());
		const response = await rawRequest(
			system.gateway.port,
			`POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${await system.signIn()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
		);
		expect([400, 404]).toContain(response.status);
		expect(response.body).not.toContain('accessToken');
	});

	test("a service's token opens nothing", async () => {
		const headers = { Authorization: `Bearer ${serviceToken}` };
		for (const path of ['/auth/profile', '/auth/users', '/api/masterdata/nothing']) {
			const response = await fetch(system.gateway.url + path, { headers });
			expect([path, response.status, await codeOf(response)]).toEqual([path, 401, 'INVALID_TOKEN']);
		}
		const change = await post(`${system.gateway.url}/api/masterdata/countries`, {}, headers);
		expect([change.status, await codeOf(change)]).toEqual([401, 'INVALID_TOKEN']);
	});
});

describe('past the gateway', () => {
	test("a service's token opens no route of people", async () => {
		const headers = { Authorization: `Bearer ${serviceToken}` };
		const profile = await fetch(`${authUrl()}/auth/profile`, { headers });
		expect([profile.status, await codeOf(profile)]).toEqual([401, 'INVALID_TOKEN']);
		const [masterdata] = system.services.masterdata;
		const change = await post(`${masterdata?.url}/api/masterdata/countries`, {}, headers);
		expect([change.status, await codeOf(change)]).toEqual([401, 'INVALID_TOKEN']);
	});

	test('a wrong secret gets no data, is reported to the operator, and is in no log', async () => {
		const secret = 'a-guess-that-is-long-enough-to-be-one';
		const response = await post(`${authUrl()}/internal/service-tokens`, { client: 'events-service', secret });
		expect([response.status, await codeOf(response)]).toEqual([401, 'INVALID_CREDENTIALS']);
		const log = () => system.services.auth[0]?.output() ?? '';
		await eventually('the refusal is logged', () => log().includes('a service token was refused'));
		expect(log()).not.toContain(secret);
		expect(log()).not.toContain(serviceToken);
		expect(log()).not.toContain(systemServiceSecrets.events);
	});
});
