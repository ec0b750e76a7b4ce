import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { databaseUrlSetting } from './context-settings.ts';
import { readSettings, type SettingRule, SettingsError, withRules } from './read-settings.ts';
import { variablesOf } from './secret-files.ts';
import { processSettings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'paddock-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
	const path = join(folder, name);
	writeFileSync(path, text);
	return path;
}

const shape = z.object({
	...processSettings,
	ADMIN_EMAIL: z.string().optional(),
	ADMIN_PASSWORD: z.string().optional(),
	DATABASE_URL: databaseUrlSetting('horses'),
	SERVICE_SECRET: z.string().min(8, 'must be longer').default('public development secret'),
});
const together: SettingRule<z.output<typeof shape>> = {
	names: ['ADMIN_PASSWORD', 'ADMIN_EMAIL'],
	isMet: (settings) => (settings.ADMIN_EMAIL === undefined) === (settings.ADMIN_PASSWORD === undefined),
	message: 'must be set together with ADMIN_EMAIL',
};
const schema = withRules(shape, [together]);
const url = 'postgres://horses:s3cret@127.0.0.1/horses';

function violations(env: Record<string, string>): string[] {
	try {
		readSettings(schema, env);
	} catch (error) {
		if (!(error instanceof SettingsError)) throw error;
		return error.message.split('\n').slice(1);
	}
	return [];
}

describe('a secret from a file', () => {
	test.each(['', '\n', '\r\n', '\n\n'])(
		'has the content of the file without its last newlines (%j)',
		(end) => {
			const DATABASE_URL_FILE = file('url', `${url}${end}`);
			const ADMIN_PASSWORD_FILE = file('password', ` two\nlines ${end}`);
			const env = { DATABASE_URL_FILE, ADMIN_PASSWORD_FILE, ADMIN_EMAIL: 'a@example.org', DATABASE_URL: '' };
			expect(readSettings(schema, env)).toMatchObject({
				DATABASE_URL: url,
				ADMIN_PASSWORD: ' two\nlines ',
				SERVICE_SECRET: 'public development secret',
			});
		},
	);

	test('an empty path counts as absent', () => {
		expect(violations({ DATABASE_URL: url, SERVICE_SECRET_FILE: '' })).toEqual([]);
	});

	test('unusable files are listed with all other violations, once each, without a content', () => {
		const found = violations({
			LOG_LEVEL: 'loud',
			DATABASE_URL_FILE: join(folder, 'missing'),
			ADMIN_PASSWORD_FILE: folder,
			ADMIN_EMAIL: 'a@example.org',
			SERVICE_SECRET_FILE: file('short', 's3cret\n'),
			OTEL_EXPORTER_OTLP_HEADERS_FILE: file('empty', '\n'),
		});
		expect(found).toEqual([
			`  OTEL_EXPORTER_OTLP_HEADERS_FILE: must be the path of a file that is not empty (given: "${folder}/empty")`,
			`  ADMIN_PASSWORD_FILE: must be the path of a readable file (given: "${folder}")`,
			`  DATABASE_URL_FILE: must be the path of a readable file (given: "${folder}/missing")`,
			'  LOG_LEVEL: must be one of error, warn, info, debug (given: "loud")',
			'  SERVICE_SECRET: must be longer (from SERVICE_SECRET_FILE)',
		]);
	});

	test('a secret in the variable as well is a violation, whether they are equal or not', () => {
		const DATABASE_URL_FILE = file('same', url);
		expect(violations({ DATABASE_URL: url, DATABASE_URL_FILE })).toEqual([
			`  DATABASE_URL_FILE: must not be set together with DATABASE_URL (given: "${DATABASE_URL_FILE}")`,
		]);
	});

	// Consul's own tools define the precedence of the token's file.
	test("Consul's variables keep their meaning", () => {
		const CONSUL_HTTP_TOKEN_FILE = file('token', 'from the file\n');
		const env = { DATABASE_URL: url, CONSUL_HTTP_TOKEN: 'own', CONSUL_HTTP_TOKEN_FILE };
		expect(readSettings(schema, env)).toMatchObject({ CONSUL_HTTP_TOKEN: 'own', CONSUL_HTTP_TOKEN_FILE });
	});

	test('a misspelled variable of a file is named', () => {
		expect(violations({ DATABASE_URI_FILE: '/x' })).toContain(
			'  DATABASE_URI_FILE: is not a setting; did you mean DATABASE_URL_FILE?',
		);
	});
});

test('passwords, secrets, tokens and addresses have a file; other settings have none', () => {
	expect(variablesOf(['REDIS_URL', 'PORT', 'SERVICE_SECRETS', 'PASSWORD_LENGTH_MIN', 'ADMIN_EMAIL'])).toEqual(
		[
			...['REDIS_URL', 'REDIS_URL_FILE', 'PORT', 'SERVICE_SECRETS', 'SERVICE_SECRETS_FILE'],
			...['PASSWORD_LENGTH_MIN', 'ADMIN_EMAIL'],
		],
	);
});
