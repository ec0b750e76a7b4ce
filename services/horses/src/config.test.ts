import { describe, expect, test } from '@jest/globals';
import { readSettings, SettingsError } from '@paddock/service';
import { settings } from './config.ts';

const usable = { DATABASE_URL: 'postgres://horses:secret@127.0.0.1:5432/horses' };

describe('the settings', () => {
	test('require only the address of the database', () => {
		expect(readSettings(settings, usable)).toMatchObject({
			PORT: 8084,
			DATABASE_POOL_MAX: 10,
			PEER_TIMEOUT_MS: 1_500,
			CONTEXTS: ['auth', 'members', 'masterdata', 'events'],
			DEMO: false,
		});
	});

	test('are all named if invalid', () => {
		const read = () =>
			readSettings(settings, {
				DATABASE_URL: 'mysql://x',
				DATABASE_POOL_MAX: '0',
				SERVICE_SECRET: 'short',
				PEER_TIMEOUT_MS: '1s',
				CONTEXTS: 'members;events',
				DEMO: 'yes',
			});
		expect(read).toThrow(SettingsError);
		for (const name of [
			'DATABASE_URL',
			'DATABASE_POOL_MAX',
			'SERVICE_SECRET',
			'PEER_TIMEOUT_MS',
			'CONTEXTS',
			'DEMO',
		])
			expect(read).toThrow(name);
	});

	test('refuse demo data and the public secret in production', () => {
		const production = { ...usable, NODE_ENV: 'production' };
		expect(() => readSettings(settings, production)).toThrow('SERVICE_SECRET');
		const own = { ...production, SERVICE_SECRET: 's'.repeat(32) };
		expect(readSettings(settings, own).DEMO).toBe(false);
		expect(() => readSettings(settings, { ...own, DEMO: 'on' })).toThrow('DEMO');
	});
});
