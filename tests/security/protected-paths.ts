import { describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { system } from './tried-system.ts';

// Spellings of one path that some hop may normalise to it, or that could bypass a check of its prefix.
function spellings(path: string): string[] {
	const [, first = '', ...rest] = path.split('/');
	const tail = rest.join('/');
	return [
		`/${path}`,
		`/./${first}/${tail}`,
		`/x/../${first}/${tail}`,
		`/x/%2e%2e/${first}/${tail}`,
		`/x/.%2e/${first}/${tail}`,
		`/%2e/${first}/${tail}`,
		`/${first}%2f${tail}`,
		`/${first}%2F${tail}`,
		`/${first}%5c${tail}`,
		`/${first}\\${tail}`,
		`/${first}//${tail}`,
		`/${first}/./${tail}`,
		`/${first}/${tail}/.`,
		`/${first}/${tail}/..`,
		`/${first};a=b/${tail}`,
		`/${first}/${tail};a`,
		`/${first}/${tail}%00`,
		`/${first}/${tail}%20`,
		`/${first}/${tail}/`,
		`/%${first.charCodeAt(0).toString(16)}${first.slice(1)}/${tail}`,
		`/${first}/%${tail.charCodeAt(0).toString(16)}${tail.slice(1)}`,
		`/%25${first.charCodeAt(0).toString(16)}${first.slice(1)}/${tail}`,
		`/${first.toUpperCase()}/${tail}`,
		`/${first}/${tail.toUpperCase()}`,
		`/${first}/${tail}%c0%ae`,
		`/auth/login/../../${first}/${tail}`,
		`/auth/login/..%2f..%2f${first}/${tail}`,
		`/api/ping/../../${first}/${tail}`,
		`http://127.0.0.1${path}`,
		`http://evil.example${path}`,
		`//evil.example${path}`,
		`${path}?x=/auth/login`,
		`${path}#/auth/login`,
		`${path}?`,
		path,
	];
}

const targets = [
	{ method: 'PUT', path: '/auth/profile', service: 'auth' },
	{ method: 'POST', path: '/api/masterdata/countries', service: 'masterdata' },
] as const;

describe.each(targets)('$method $path without a token', ({ method, path, service }) => {
	test.each(spellings(path))('as %s never reaches the service', async (target) => {
		const [instance] = system.services[service];
		const before = instance?.output().length ?? 0;
		const response = await rawRequest(
			system.gateway.port,
			`${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
		);
		expect([400, 401, 404]).toContain(response.status);
		const body = JSON.parse(response.body) as Record<string, unknown>;
		expect(Object.keys(body)).toEqual(['success', 'data', 'message', 'timestamp']);
		expect(body['success']).toBe(false);
		// The service logs each request after its response; the client may have read the response before this line. (The gateway itself
		// may have fetched the keys in the meantime.)
		const logged = (instance?.output().slice(before) ?? '').split('\n');
		const requests = logged.filter((line) => line.includes('"message":"request"'));
		expect(requests.filter((line) => line.includes(`"method":"${method}"`))).toEqual([]);
	});
});

test('identity headers of a caller have no effect at the gateway and at the service', async () => {
	const headers = {
		'X-User-Id': '1',
		'X-User-Role': 'ADMIN',
		'X-Auth-User': 'admin',
		'X-Internal-Call': 'yes',
	};
	for (const url of [system.gateway.url, system.services.auth[0]?.url]) {
		const response = await fetch(`${url}/auth/users`, { headers });
		expect(response.status).toBe(401);
	}
});
