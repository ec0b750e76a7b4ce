import { describe, expect, test } from '@jest/globals';
import { readSettings, SettingsError } from '@paddock/service';
import { settings } from './config.ts';

const usable = { DATABASE_URL: 'postgres://members:secret@127.0.0.1:5432/members' };
const ownSecret = 'a-secret-that-nobody-else-has-got';

describe('the settings', () => {
	test('require only the address of the database', () => {
		expect(readSettings(settings, usable)).toMatchObject({
			PORT: 8082,
			DATABASE_POOL_MAX: 10,
			DEMO: false,
			CONTEXTS: ['auth', 'masterdata', 'horses', 'events'],
			FEDERATION_CLUB_NUMBER: '9000',
		});
	});

	test('are all named if invalid', () => {
		const wrong = {
			DATABASE_URL: 'mysql://x',
			DATABASE_POOL_MAX: '0',
			DEMO: 'yes',
			CONTEXTS: 'members;events',
			SERVICE_SECRET: 'short',
			FEDERATION_CLUB_NUMBER: '0900',
			PEER_TIMEOUT_MS: '5',
		};
		const read = () => readSettings(settings, wrong);
		expect(read).toThrow(SettingsError);
		for (const name of Object.keys(wrong)) expect(read).toThrow(name);
	});

	test('refuse demo data and a public secret in production', () => {
		const production = { ...usable, NODE_ENV: 'production' };
		expect(() => readSettings(settings, { ...production, SERVICE_SECRET: ownSecret, DEMO: 'on' })).toThrow(
			'DEMO',
		);
		expect(() => readSettings(settings, production)).toThrow('SERVICE_SECRET');
		expect(readSettings(settings, { ...production, SERVICE_SECRET: ownSecret }).DEMO).toBe(false);
	});
});
