import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rawRequest, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { expectFailure } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

/** Spellings of a protected path that a prefix check might not recognise but a service might. */
function spellings(path: string): string[] {
	const [, first = '', ...rest] = path.split('/');
	const tail = rest.join('/');
	const last = rest.at(-1) ?? '';
	const parent = path.slice(0, -last.length);
	const encoded = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;
	return [
		path,
		`/${path}`,
		`//${path}`,
		`/.${path}`,
		`/./${first}/${tail}`,
		`/x/..${path}`,
		`/x/../..${path}`,
		`/api/ping/../..${path}`,
		`/api/ping/..;/..;${path}`,
		`/auth/login/../..${path}`,
		`/auth/login;/../..${path}`,
		`/auth/login/%2e%2e/%2e%2e${path}`,
		`/auth/login/%2E%2e/.%2e${path}`,
		`/auth/login/%252e%252e/%252e%252e${path}`,
		`/auth/login%2f..%2f..${path}`,
		`/auth/login\\..\\..${path}`,
		`/auth/login%5c..%5c..${path}`,
		`/auth/login/%c0%ae%c0%ae/%c0%ae%c0%ae${path}`,
		`/auth/login/%e0%80%ae%e0%80%ae/..${path}`,
		`/auth/login/%uff0e%uff0e${path}`,
		`/.well-known/jwks.json/../..${path}`,
		`/.well-known/jwks.json%00/../..${path}`,
		`/actuator/health/../..${path}`,
		`/openapi.yaml/../${first}/${tail}`,
		`/${first}//${tail}`,
		`/${first}/./${tail}`,
		`/${first}/x/../${tail}`,
		`/${first}/%2e/${tail}`,
		`/${first}/%2e%2e/${first}/${tail}`,
		`/${first}%2f${tail}`,
		`/${first}%2F${tail}`,
		`/${first}%5c${tail}`,
		`/${first}\\${tail}`,
		`\\${first}\\${tail}`,
		`/${first};/${tail}`,
		`/${first};x=1/${tail}`,
		`/${encoded(first)}/${tail}`,
		`/${first}/${encoded(tail)}`,
		`${parent}${encoded(last)}`,
		`/${first.toUpperCase()}/${tail}`,
		`/${first}/${tail.toUpperCase()}`,
		`/${first}./${tail}`,
		`${path}/`,
		`${path}//`,
		`${path}/.`,
		`${path}/..`,
		`${path}/x/..`,
		`${path}/..%2f${last}`,
		`${path}.`,
		`${path}..`,
		`${path}%2f`,
		`${path}%2e`,
		`${path}%20`,
		`${path}%09`,
		`${path}%00`,
		`${path}%00.css`,
		`${path}%0d%0a`,
		`${path};`,
		`${path};.css`,
		`${path};a=b`,
		`${path}%3b`,
		`${path}%23`,
		`${path}%3f`,
		`${path}%`,
		`${path}%2`,
		`${path}#`,
		`${path}#/../../auth/login`,
		`${path}?`,
		`${path}??`,
		`${path}?#`,
		`${path}?/../../auth/login`,
		`${path}?x=/auth/login`,
		`?${path}`,
		`/?${path}`,
		`${path}\u00e4`,
		`/${first}\u2215${tail}`,
		`/${first}/\u202e${tail}`,
		`${path}\t`,
		`${path}\u000b`,
		`${path}\0`,
		`${path} x`,
		`http://127.0.0.1${path}`,
		`http://auth-service${path}`,
		`HTTP://x${path}`,
		`https://x/auth/login/../..${path}`,
		`//x${path}`,
		`///x${path}`,
		`x:80`,
		`127.0.0.1:80${path}`,
		'*',
		tail,
		'',
	];
}

describe.each([
	{ method: 'PUT', path: '/auth/profile', service: 'auth-service' },
	{ method: 'POST', path: '/api/masterdata/countries', service: 'masterdata-service' },
	{ method: 'DELETE', path: '/api/masterdata/venues/1/arenas/2', service: 'masterdata-service' },
])('$method $path without a token', ({ method, path }) => {
	let gateway: TestGateway;
	let upstream: TestUpstream;

	beforeAll(async () => {
		upstream = await recordingUpstream();
		gateway = await startTestGateway({
			services: { 'masterdata-service': [upstream.url], 'ping-service': [upstream.url] },
			settings: { CONTEXTS: 'auth,members,masterdata,horses,events,ping' },
		});
	});

	afterAll(async () => {
		await gateway.close();
		await upstream.close();
	});

	it.each(spellings(path))('is refused as %j and never forwarded', async (target) => {
		const head = `${method} ${target} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`;
		const response = await rawRequest(gateway.port, Buffer.from(head));
		expect([400, 401, 404, 405]).toContain(response.status);
		expectFailure(response, response.status, JSON.parse(response.body).data.code);
		expect(upstream.requests).toEqual([]);
		expect(gateway.auth.requests.filter(({ url }) => url !== '/.well-known/jwks.json')).toEqual([]);
	});

	it('is forwarded with a token', async () => {
		const response = await fetch(gateway.url + path, {
			method,
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
		});
		expect(response.status).toBe(200);
		const seen = [...upstream.requests, ...gateway.auth.requests].map(
			(request) => `${request.method} ${request.url}`,
		);
		expect(seen).toContain(`${method} ${path}`);
	});
});
