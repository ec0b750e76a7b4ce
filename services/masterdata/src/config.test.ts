import { describe, expect, test } from '@jest/globals';
import { readSettings, SettingsError } from '@paddock/service';
import { settings } from './config.ts';

const usable = { DATABASE_URL: 'postgres://masterdata:secret@127.0.0.1:5432/masterdata' };

describe('the settings', () => {
	test('require only the address of the database', () => {
		expect(readSettings(settings, usable)).toMatchObject({ PORT: 8083, DATABASE_POOL_MAX: 10, DEMO: false });
	});

	test('are all named if invalid', () => {
		const read = () =>
			readSettings(settings, { DATABASE_URL: 'mysql://x', DATABASE_POOL_MAX: '0', DEMO: 'yes' });
		expect(read).toThrow(SettingsError);
		for (const name of ['DATABASE_URL', 'DATABASE_POOL_MAX', 'DEMO']) expect(read).toThrow(name);
	});

	test('refuse demo data in production', () => {
		expect(() => readSettings(settings, { ...usable, NODE_ENV: 'production', DEMO: 'on' })).toThrow('DEMO');
		expect(readSettings(settings, { ...usable, NODE_ENV: 'development', DEMO: 'on' }).DEMO).toBe(true);
	});
});
