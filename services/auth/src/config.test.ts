import { describe, expect, test } from '@jest/globals';
import { developmentSecretOf, readSettings } from '@paddock/service';
import { createTransport } from 'nodemailer';
import { settings } from './config.ts';

const DATABASE_URL = 'postgres://auth:x@127.0.0.1/auth';
const production = {
	NODE_ENV: 'production',
	DATABASE_URL,
	ADMIN_EMAIL: 'boss@example.org',
	ADMIN_PASSWORD: 'seven ladders behind the barn',
	SMTP_URL: 'smtp://mail.example.org',
	SERVICE_SECRETS: `horses-service=${'h'.repeat(32)},events-service=${'e'.repeat(32)}`,
	KEY_ENCRYPTION_KEY: 'a'.repeat(64),
};

/** The names of the invalid settings. */
function violations(env: Readonly<Record<string, string>>): string[] {
	try {
		readSettings(settings, env);
		return [];
	} catch (error) {
		const lines = error instanceof Error ? error.message.split('\n').slice(1) : [];
		return lines.map((line) => line.trim().split(':')[0] ?? '').sort();
	}
}

describe('the settings of auth', () => {
	test('require only a database in development', () => {
		expect(violations({})).toEqual(['DATABASE_URL']);
		expect(readSettings(settings, { DATABASE_URL })).toMatchObject({
			PORT: 8081,
			DEMO: false,
			PASSWORD_LENGTH_MIN: 12,
			PASSWORD_HASH_MEMORY_KIB: 19_456,
			PASSWORD_HASH_PASSES: 2,
			PASSWORD_HASHES_AT_ONCE: 2,
			ACCESS_TOKEN_MS: 900_000,
			REFRESH_TOKEN_MS: 14 * 86_400_000,
			REFRESH_GRACE_MS: 10_000,
			KEY_LEAD_MS: 120_000,
			SIGN_IN_LOCK_MS: 900_000,
		});
	});

	test.each([
		[{ PASSWORD_LENGTH_MIN: '7' }, ['PASSWORD_LENGTH_MIN']],
		[{ ACCESS_TOKEN_MS: '901000' }, ['ACCESS_TOKEN_MS']],
		[{ ACCESS_TOKEN_MS: '1500' }, ['ACCESS_TOKEN_MS']],
		[{ ADMIN_EMAIL: 'boss@example.org' }, ['ADMIN_PASSWORD']],
		[{ ADMIN_PASSWORD: 'three bales and a bucket' }, ['ADMIN_PASSWORD']],
		[{ KEY_LEAD_MS: '1000', KEY_RELOAD_MS: '1001' }, ['KEY_RELOAD_MS']],
		...[
			'a,b@x.org',
			'a;b@x.org',
			'a:b@x.org',
			'"a"@x.org',
			'a(b)@x.org',
			'<a@x.org>',
			'a b@x.org',
			'a@x.org,b',
		].flatMap((address): [Record<string, string>, string[]][] => [
			[{ MAIL_BOUNCES_TO: address }, ['MAIL_BOUNCES_TO']],
			[{ MAIL_FROM: `Office <${address}>` }, ['MAIL_FROM']],
		]),
		...[
			'a,b@x.org',
			'a@x.org, b@x.org',
			'Office, Paddock <a@x.org>',
			'"Office" Paddock" <a@x.org>',
			String.raw`"Office\" <a@x.org>`,
			'Office <a@x.org>, Club <b@x.org>',
			'Office: a@x.org;',
			'a@x.org <b@x.org>',
			'Office',
		].map((sender): [Record<string, string>, string[]] => [{ MAIL_FROM: sender }, ['MAIL_FROM']]),
		[{ DATABASE_URL: 'mysql://x' }, ['DATABASE_URL']],
		[{ SERVICE_SECRETS: 'x' }, ['SERVICE_SECRETS']],
		[{ SERVICE_SECRETS: `nobody-service=${'n'.repeat(32)}` }, ['SERVICE_SECRETS']],
		[{ SERVICE_SECRETS: `toString=${'n'.repeat(32)}` }, ['SERVICE_SECRETS']],
		[{ SERVICE_SECRETS: `horses-service=${'h'.repeat(31)}` }, ['SERVICE_SECRETS']],
		[{ SERVICE_SECRETS: `horses-service=${'h'.repeat(31)} ` }, ['SERVICE_SECRETS']],
		[
			{ SERVICE_SECRETS: ['h', 'i', 'j'].map((letter) => `horses-service=${letter.repeat(32)}`).join(',') },
			['SERVICE_SECRETS'],
		],
		[
			{ SERVICE_SECRETS: `horses-service=${'h'.repeat(32)},horses-service=${'h'.repeat(32)}` },
			['SERVICE_SECRETS'],
		],
		[
			{ SERVICE_SECRETS: `horses-service=${'h'.repeat(32)},events-service=${'h'.repeat(32)}` },
			['SERVICE_SECRETS'],
		],
		[{ OIDC_ISSUER: 'https://id.example.org' }, ['OIDC_ISSUER']],
		[{ OIDC_CLIENT_ID: 'paddock', OIDC_CLIENT_SECRET: 'x' }, ['OIDC_ISSUER']],
		[{ OIDC_ISSUER: 'id.example.org', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' }, ['OIDC_ISSUER']],
		[{ OIDC_SCOPE: 'email' }, ['OIDC_SCOPE']],
		[{ KEY_ENCRYPTION_KEY: 'a'.repeat(63) }, ['KEY_ENCRYPTION_KEY']],
		[{ KEY_ENCRYPTION_KEY: `${'a'.repeat(63)}g` }, ['KEY_ENCRYPTION_KEY']],
		[
			{ KEY_ENCRYPTION_KEY: ['a', 'b', 'c'].map((digit) => digit.repeat(64)).join(',') },
			['KEY_ENCRYPTION_KEY'],
		],
		[{ KEY_ENCRYPTION_KEY: `${'a'.repeat(64)},${'A'.repeat(64)}` }, ['KEY_ENCRYPTION_KEY']],
	])('%j is refused', (env, named) => {
		expect(violations({ DATABASE_URL, ...env })).toEqual(named);
	});

	test.each([
		'a@x.org',
		'<a@x.org>',
		'Büro e.V. <a@x.org>',
		'"Office, Paddock" <a@x.org>',
		String.raw`"Büro \"Wien\" @ Paddock" <a@x.org>`,
	])('%s is one sender, to nodemailer as well', async (sender) => {
		expect(violations({ DATABASE_URL, MAIL_FROM: sender })).toEqual([]);
		const { envelope } = await createTransport({ streamTransport: true }).sendMail({
			from: sender,
			to: 'b@x.org',
		});
		expect(envelope).toEqual({ from: 'a@x.org', to: ['b@x.org'] });
	});

	test('have a secret for every client in development, and never show an invalid one', () => {
		expect([...readSettings(settings, { DATABASE_URL }).SERVICE_SECRETS.keys()]).toEqual([
			'members-service',
			'masterdata-service',
			'horses-service',
			'events-service',
		]);
		const secret = `${'s'.repeat(40)}é`;
		expect(() =>
			readSettings(settings, { DATABASE_URL, SERVICE_SECRETS: `horses-service=${secret}` }),
		).toThrow(/^(?!.*sss).*the secret of horses-service/s);
	});

	test('refuse the development secret of any client in production', () => {
		const known = `events-service=${developmentSecretOf('horses-service')}`;
		expect(violations({ ...production, SERVICE_SECRETS: known })).toEqual(['SERVICE_SECRETS']);
	});

	test('encrypt with a public key in development, which production refuses, also as the previous one', () => {
		const published = '0'.repeat(64);
		const { KEY_ENCRYPTION_KEY: keys } = readSettings(settings, { DATABASE_URL });
		expect(keys.map((key) => key?.key.toString('hex'))).toEqual([published]);
		for (const KEY_ENCRYPTION_KEY of [published, `${'a'.repeat(64)},${published}`])
			expect(violations({ ...production, KEY_ENCRYPTION_KEY })).toEqual(['KEY_ENCRYPTION_KEY']);
	});

	test('never show a refused key', () => {
		const env = { DATABASE_URL, KEY_ENCRYPTION_KEY: 'abcdef0123456789' };
		expect(() => readSettings(settings, env)).toThrow(/^(?!.*abcdef).*KEY_ENCRYPTION_KEY.*redacted/s);
	});

	test.each([
		'canter over the hedge',
		'Canter over the Hedge!',
		'canter-over-the-hedge-2026',
		'ein ruhiger Apfelschimmel',
		'three bales and a bucket',
		'a saddle on every peg',
	])('refuse the published password %j of the first administrator in production', (ADMIN_PASSWORD) => {
		expect(violations({ ...production, ADMIN_PASSWORD })).toEqual(['ADMIN_PASSWORD']);
		const development = { DATABASE_URL, ADMIN_EMAIL: 'boss@example.org', ADMIN_PASSWORD };
		expect(violations(development)).toEqual([]);
	});

	test('must have the address of a mail server that can be parsed', () => {
		for (const SMTP_URL of ['mail.example.org', 'smtp://[mail', 'smtp://mail:port'])
			expect(violations({ ...production, SMTP_URL })).toEqual(['SMTP_URL']);
	});

	test('must be complete and not weak in production', () => {
		expect(violations(production)).toEqual([]);
		expect(violations({ NODE_ENV: 'production', DATABASE_URL })).toEqual([
			'ADMIN_EMAIL',
			'ADMIN_PASSWORD',
			'KEY_ENCRYPTION_KEY',
			'SERVICE_SECRETS',
			'SMTP_URL',
		]);
		expect(
			violations({
				...production,
				DEMO: 'on',
				PASSWORD_HASH_MEMORY_KIB: '19455',
				PASSWORD_HASH_PASSES: '1',
				KEY_LEAD_MS: '59999',
			}),
		).toEqual(['DEMO', 'KEY_LEAD_MS', 'PASSWORD_HASH_MEMORY_KIB', 'PASSWORD_HASH_PASSES']);
	});
});
