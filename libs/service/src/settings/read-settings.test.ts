import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { databaseUrlSetting } from './context-settings.ts';
import { integerSetting } from './integer-setting.ts';
import { readSettings, type SettingRule, SettingsError, withRules } from './read-settings.ts';
import { addressListSetting, processSettings } from './settings.ts';

const shape = z.object({
	...processSettings,
	DATABASE_URL: databaseUrlSetting('horses'),
	SERVICE_SECRET: z.string().min(32, 'must be longer').default('x'.repeat(32)),
	TRUSTED_PROXIES: addressListSetting([]),
	RATE_LIMIT_USER: integerSetting(0, 1_000, 300),
	LOWER: integerSetting(0, 9, 1),
	UPPER: integerSetting(0, 9, 5),
});
const inOrder: SettingRule<z.output<typeof shape>> = {
	names: ['LOWER', 'UPPER'],
	isMet: ({ LOWER, UPPER }) => LOWER <= UPPER,
	message: ({ UPPER }) => `must be at most UPPER, ${UPPER}`,
};
const schema = withRules(shape, [inOrder]);
const usable = { DATABASE_URL: 'postgres://a:b@127.0.0.1/c' };

function violations(env: Record<string, string>): string[] {
	try {
		readSettings(schema, env);
	} catch (error) {
		if (!(error instanceof SettingsError)) throw error;
		return error.message.split('\n').slice(1);
	}
	return [];
}

describe('the violations', () => {
	test('contain the given value', () => {
		expect(violations({ ...usable, RATE_LIMIT_USER: '10/s', TRUSTED_PROXIES: 'a\nb' })).toEqual([
			'  TRUSTED_PROXIES: must be a comma-separated list of addresses or CIDRs (given: "a\\nb")',
			'  RATE_LIMIT_USER: must be a whole number from 0 to 1000 (given: "10/s")',
		]);
		expect(violations({ ...usable, LOG_LEVEL: 'x'.repeat(1_000) })[0]).toHaveLength(145);
	});

	test.each([
		['SERVICE_SECRET', 's3cret'],
		['DATABASE_URL', 'mysql://role:s3cret@host/db'],
		['DATABASE_URL', 'role:s3/cr@s3cret@host'],
		['CONSUL_HTTP_ADDR', 'http://user:s3cret@127.0.0.1:8500'],
		['RATE_LIMIT_USER', 'Bearer s3cret.token'],
	])('mask secrets, also in the wrong variable: %s=%s', (name, value) => {
		const [line = '', ...others] = violations({ ...usable, [name]: value });
		expect(others).toEqual([]);
		expect(line).toMatch(new RegExp(`^ {2}${name}: .*\\[redacted\\]`));
		expect(line).not.toContain('s3c');
	});

	// zod checks rules over several fields only if all fields are valid.
	test('of rules over several settings are listed together with those of other settings', () => {
		expect(violations({ LOWER: '6', LOG_LEVEL: 'loud' })).toEqual([
			'  LOG_LEVEL: must be one of error, warn, info, debug (given: "loud")',
			'  DATABASE_URL: is required',
			'  LOWER: must be at most UPPER, 5 (given: "6")',
		]);
		expect(violations({ ...usable, LOWER: '6', UPPER: 'x' })).toHaveLength(1);
	});

	test('are followed by misspelled settings, which may be their cause', () => {
		expect(violations({ DATABASE_URI: 'postgres://a:s3cret@b/c' })).toEqual([
			'  DATABASE_URL: is required',
			'  DATABASE_URI: is not a setting; did you mean DATABASE_URL?',
		]);
	});
});

test('a misspelled setting alone is a warning: it may belong to another program', () => {
	const module = pathToFileURL(join(import.meta.dirname, 'read-settings.ts')).href;
	const program = `
		import { z } from 'zod';
		import { readSettings } from '${module}';
		console.log(readSettings(z.object({ RATE_LIMIT_USER: z.string().default('300') }), process.env));`;
	const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
		cwd: import.meta.dirname,
		env: { RATE_LIMITS_USER: '5' },
		encoding: 'utf8',
	});
	expect([status, stdout]).toEqual([0, "{ RATE_LIMIT_USER: '300' }\n"]);
	expect(stderr).toContain('Warning: RATE_LIMITS_USER: is not a setting; did you mean RATE_LIMIT_USER?');
});
