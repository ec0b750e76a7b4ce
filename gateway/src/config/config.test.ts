import { describe, expect, it } from '@jest/globals';
import { SettingsError } from '@paddock/service';
import { readConfig, settingNames } from './config.ts';

/** The violations by setting. */
function violations(env: Record<string, string>): Record<string, string> {
	try {
		readConfig(env);
	} catch (error) {
		if (!(error instanceof SettingsError)) throw error;
		const lines = error.message.split('\n').slice(1);
		return Object.fromEntries(
			lines.map((line) => [line.trim().split(':')[0], line.slice(line.indexOf(':') + 2)]),
		);
	}
	return {};
}

describe('config', () => {
	it('requires no setting', () => {
		const config = readConfig({});
		expect(config.host).toBe('127.0.0.1');
		expect(config.TRUSTED_PROXIES).toEqual([]);
		expect(config.CORS_ORIGINS).toEqual([]);
		expect(config.OPS_PORT).toBeUndefined();
	});

	it('listens on all addresses in production, or on HOST', () => {
		expect(readConfig({ NODE_ENV: 'production' }).host).toBe('0.0.0.0');
		expect(readConfig({ NODE_ENV: 'production', HOST: '127.0.0.9' }).host).toBe('127.0.0.9');
	});

	it('lists all invalid settings', () => {
		const numbers = settingNames.filter((name) => /_(MS|MAX|MIN|PERCENT|VOLUME)$|^RATE_|PORT$/.test(name));
		expect(numbers.length).toBeGreaterThan(20);
		const bad = {
			...Object.fromEntries(numbers.map((name) => [name, '-1'])),
			NODE_ENV: 'prod',
			LOG_LEVEL: 'loud',
			STATUS_PAGE: 'yes',
			OPS_PREFIX: '/',
			CONTEXTS: 'auth,nobody',
			TRUSTED_PROXIES: '300.0.0.1',
			CORS_ORIGINS: '*',
			DISCOVERY: 'etcd',
			DNS_SERVERS: '10.0.0.2:0',
		};
		expect(Object.keys(violations(bad)).sort()).toEqual(Object.keys(bad).sort());
	});

	it.each(['x', '1.5', '1e3', ' 80', '0x50', '65536', '999999999999999'])('refuses PORT %j', (PORT) => {
		expect(violations({ PORT })).toEqual({ PORT: expect.stringContaining('whole number') });
	});

	it.each([',', 'auth,unknown', 'auth,auth', 'AUTH', '__proto__', 'auth ping'])(
		'refuses CONTEXTS %j',
		(CONTEXTS) => {
			expect(violations({ CONTEXTS })).toHaveProperty('CONTEXTS');
		},
	);

	it('accepts a subset of the contexts', () => {
		expect(readConfig({ CONTEXTS: 'ping, auth' }).CONTEXTS).toEqual(['ping', 'auth']);
	});

	it.each([
		'*',
		'null',
		'app.example.org',
		'https://app.example.org/',
		'https://app.example.org/path',
		'https://app.example.org:443',
		'https://*.example.org',
		'HTTPS://app.example.org',
		'https://user@app.example.org',
		'file://',
		'ws://app.example.org',
		'https://good.example.org,*',
	])('refuses CORS_ORIGINS %j, which is not an exact origin', (CORS_ORIGINS) => {
		expect(violations({ CORS_ORIGINS })).toHaveProperty('CORS_ORIGINS');
	});

	it('accepts exact origins', () => {
		const CORS_ORIGINS = 'https://app.example.org, http://localhost:5173';
		expect(readConfig({ CORS_ORIGINS }).CORS_ORIGINS).toEqual([
			'https://app.example.org',
			'http://localhost:5173',
		]);
	});

	it.each([
		'/auth',
		'/api',
		'/docs',
		'/postman',
		'/status',
		'/runbook',
		'/',
		'ops',
		'/a/b',
		'/Ops',
		'/ops/',
		'/%2e',
		'/..',
		'/.well-known',
	])('refuses OPS_PREFIX %j', (OPS_PREFIX) => {
		expect(violations({ OPS_PREFIX })).toHaveProperty('OPS_PREFIX');
	});

	it.each([
		'localhost',
		'300.1.1.1',
		'10.0.0.0/33',
		'10.0.0.0/0',
		'10.0.0.0/8/8',
		'::1/129',
		'10.0.0.0/',
		':',
		'1.2.3',
	])(
		'refuses TRUSTED_PROXIES %j, which would fail only with the first request or trust every client',
		(TRUSTED_PROXIES) => {
			expect(violations({ TRUSTED_PROXIES })).toHaveProperty('TRUSTED_PROXIES');
		},
	);

	it('compares related settings, and lists their violations with all others', () => {
		const env = {
			HEADERS_TIMEOUT_MS: '5000',
			REQUEST_TIMEOUT_MS: '4000',
			PORT: '9000',
			OPS_PORT: '9000',
			LOG_LEVEL: 'loud',
		};
		expect(Object.keys(violations(env)).sort()).toEqual(['HEADERS_TIMEOUT_MS', 'LOG_LEVEL', 'OPS_PORT']);
		expect(violations({ PORT: '0', OPS_PORT: '0' })).toEqual({});
	});

	it('requires a window of three response timeouts, so that a slow instance can open its breaker', () => {
		expect(violations({ BREAKER_WINDOW_MS: '14999' })).toEqual({
			BREAKER_WINDOW_MS: 'must be at least three times RESPONSE_TIMEOUT_MS: 15000 (given: "14999")',
		});
		expect(violations({ RESPONSE_TIMEOUT_MS: '10001' })).toHaveProperty('BREAKER_WINDOW_MS');
		expect(violations({ BREAKER_WINDOW_MS: '3000', RESPONSE_TIMEOUT_MS: '1000' })).toEqual({});
	});

	it('masks the password of a REDIS_URL that it refuses', () => {
		for (const given of ['redis://cache:6379/one', 'redis:cache', 'http://cache'])
			expect(violations({ REDIS_URL: given })).toHaveProperty('REDIS_URL');
		for (const given of ['redis://user:s3cret@cache/one', 'user:s3cret@cache', 'redis://:s3c/ret@cache:6379'])
			expect(violations({ REDIS_URL: given })['REDIS_URL']).not.toContain('s3c');
		expect(violations({ REDIS_URL: 'rediss://user:s3cret@cache:6380/1' })).toEqual({});
	});
});
