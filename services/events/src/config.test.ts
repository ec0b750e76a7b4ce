import { describe, expect, test } from '@jest/globals';
import { developmentSecretOf, readSettings, SettingsError } from '@paddock/service';
import { settings } from './config.ts';

const usable = { DATABASE_URL: 'postgres://events:secret@127.0.0.1:5432/events' };

describe('the settings', () => {
	test('require only the address of the database', () => {
		expect(readSettings(settings, usable)).toMatchObject({
			PORT: 8085,
			DATABASE_POOL_MAX: 10,
			SERVICE_SECRET: developmentSecretOf('events-service'),
			PEER_TIMEOUT_MS: 1_500,
			DEMO: false,
		});
	});

	test('are all named if invalid', () => {
		const unusable = {
			DATABASE_URL: 'mysql://x',
			DATABASE_POOL_MAX: '0',
			SERVICE_SECRET: 'short',
			PEER_TIMEOUT_MS: 'soon',
			DEMO: 'yes',
		};
		const read = () => readSettings(settings, unusable);
		expect(read).toThrow(SettingsError);
		for (const name of Object.keys(unusable)) expect(read).toThrow(name);
		expect(Object.keys(settings.shape)).toEqual(expect.arrayContaining(Object.keys(unusable)));
	});

	test('refuse demo data and public secrets in production', () => {
		const production = { ...usable, NODE_ENV: 'production' };
		const secret = 'x'.repeat(32);
		expect(() => readSettings(settings, production)).toThrow('SERVICE_SECRET');
		expect(() => readSettings(settings, { ...production, SERVICE_SECRET: secret, DEMO: 'on' })).toThrow(
			'DEMO',
		);
		expect(readSettings(settings, { ...production, SERVICE_SECRET: secret }).SERVICE_SECRET).toBe(secret);
	});
});
