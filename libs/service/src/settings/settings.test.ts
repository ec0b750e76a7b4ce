import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { integerSetting } from './integer-setting.ts';
import { readSettings, SettingsError } from './read-settings.ts';
import {
	addressListSetting,
	contextsSetting,
	deployedContextsSetting,
	hostOf,
	listSetting,
	portSetting,
	serviceSettings,
	switchSetting,
} from './settings.ts';

const schema = z.object({
	...serviceSettings,
	PORT: portSetting(8080),
	STATUS_PAGE: switchSetting(true),
	NAMES: listSetting,
	DATABASE_URL: z.string(),
});
const needed = { DATABASE_URL: 'postgres://x' };

const violations = (env: Record<string, string>) => violationsOf(schema, env);

function violationsOf(settings: z.ZodObject, env: Record<string, string>): string[] {
	try {
		readSettings(settings, env);
	} catch (error) {
		if (!(error instanceof SettingsError)) throw error;
		const [first, ...lines] = error.message.split('\n');
		expect(first).toBe('The settings are not usable:');
		return lines.map((line) => line.trim().replace(/ \(given: .*\)$/, ''));
	}
	return [];
}

test('absent and empty variables get the default', () => {
	const settings = readSettings(schema, {
		...needed,
		PORT: '',
		STATUS_PAGE: '',
		HOST: '',
		TRUSTED_PROXIES: '',
	});
	expect(settings).toMatchObject({
		PORT: 8080,
		STATUS_PAGE: true,
		NAMES: [],
		NODE_ENV: 'development',
		TRUSTED_PROXIES: ['127.0.0.0/8', '::1/128'],
	});
	expect(settings.HOST).toBeUndefined();
});

test('every violation is listed, and variables of other programs are ignored', () => {
	expect(
		violations({ PORT: 'x', STATUS_PAGE: 'yes', NODE_ENV: 'prod', LOG_LEVEL: 'x', HOME: '/root' }),
	).toEqual([
		'NODE_ENV: must be production, development or test',
		'LOG_LEVEL: must be one of error, warn, info, debug',
		'PORT: must be a whole number from 0 to 65535',
		'STATUS_PAGE: must be on or off',
		'DATABASE_URL: is required',
	]);
	expect(violations({ DATABASE_URL: '' })).toEqual(['DATABASE_URL: is required']);
});

test.each(['-1', '65536', '1.5', '1e3', '0x50', ' 80', '80 ', '+80', '٨٠', '9'.repeat(13)])(
	'%s is not a valid port',
	(port) => {
		expect(violations({ ...needed, PORT: port })).toHaveLength(1);
	},
);

test.each(['0', '080', '65535'])('%s is a valid port', (port) => {
	expect(readSettings(schema, { ...needed, PORT: port }).PORT).toBe(Number(port));
});

test('bounds are part of the range', () => {
	const bounded = z.object({ N: integerSetting(10, 20, 15) });
	expect(['10', '20'].map((N) => readSettings(bounded, { N }).N)).toEqual([10, 20]);
	for (const N of ['9', '21']) expect(() => readSettings(bounded, { N })).toThrow('from 10 to 20');
});

test('a list has no empty entries', () => {
	expect(readSettings(schema, { ...needed, NAMES: ' a, ,b,, c ' }).NAMES).toEqual(['a', 'b', 'c']);
});

describe('CONTEXTS of a process with the table of contexts', () => {
	const contexts = z.object({ CONTEXTS: contextsSetting(() => ['auth', 'horses', 'ping']) });
	const read = (CONTEXTS?: string) => readSettings(contexts, { CONTEXTS }).CONTEXTS;

	test('defaults to all contexts', () => {
		for (const absent of [undefined, '']) expect(read(absent)).toEqual(['auth', 'horses', 'ping']);
	});

	test('keeps the order and drops spaces and empty entries', () => {
		expect(read(' ping ,,\tauth, ')).toEqual(['ping', 'auth']);
	});

	test.each([',', ' ', ' , ,', 'auth,stables', 'AUTH', 'auth ping', 'auth;ping', '__proto__', 'length'])(
		'refuses %j',
		(list) => {
			expect(violationsOf(contexts, { CONTEXTS: list })).toEqual([
				'CONTEXTS: must list some of auth, horses, ping',
			]);
		},
	);

	test.each(['auth,auth', 'auth, ping ,auth '])('refuses a repeated name: %j', (list) => {
		expect(violationsOf(contexts, { CONTEXTS: list })).toEqual(['CONTEXTS: must not name a context twice']);
	});
});

describe('CONTEXTS of a service', () => {
	const contexts = z.object({ CONTEXTS: deployedContextsSetting({ calls: ['members', 'events'] }) });
	const read = (CONTEXTS?: string) => readSettings(contexts, { CONTEXTS }).CONTEXTS;

	test('defaults to the contexts that the service calls', () => {
		expect(read()).toEqual(['members', 'events']);
	});

	test('accepts names that the service does not know', () => {
		expect(read(' clinics ,,horses, ')).toEqual(['clinics', 'horses']);
	});

	test.each([',', 'AUTH', 'auth ping', 'auth;ping', '__proto__', '-'])('refuses %j', (list) => {
		expect(violationsOf(contexts, { CONTEXTS: list })).toEqual([
			'CONTEXTS: must be a list of context names such as members,events',
		]);
	});

	test('refuses a repeated name', () => {
		expect(violationsOf(contexts, { CONTEXTS: 'auth,auth' })).toEqual([
			'CONTEXTS: must not name a context twice',
		]);
	});
});

describe('addresses and CIDRs', () => {
	const read = (TRUSTED: string) =>
		readSettings(z.object({ TRUSTED: addressListSetting([]) }), { TRUSTED }).TRUSTED;

	test('of both families are accepted', () => {
		const text = '10.0.0.0/8, 192.0.2.1,::1, 2001:db8::/32,192.0.2.0/32,::/128';
		expect(read(text)).toEqual(text.split(',').map((entry) => entry.trim()));
	});

	test.each([
		'300.1.1.1/99',
		'300.1.1.1',
		'10.0.0.0/33',
		'::1/129',
		'10.0.0.0/',
		'10.0.0.0/8/8',
		'10.0.0/8',
		'10.0.0.0/-1',
		'10.0.0.0/08',
		'10.0.0.0/1e1',
		'localhost',
		'10.0.0.0-10.0.0.9',
		'1.2.3.4:80',
	])('%s is refused', (text) => {
		expect(() => read(`127.0.0.1,${text}`)).toThrow('TRUSTED: must be a comma-separated list');
	});

	test('that would trust all addresses are refused', () => {
		for (const all of ['0.0.0.0/0', '::/0']) expect(() => read(all)).toThrow(SettingsError);
	});
});

test.each(['127.0.0.1', '::', 'localhost', 'stable-1.example.org'])('%s is a valid host', (HOST) => {
	expect(readSettings(schema, { ...needed, HOST }).HOST).toBe(HOST);
});

test.each(['http://a', 'a:80', 'a b', 'a_b', '[::1]', 'a..b', '.'])('%s is not a valid host', (HOST) => {
	expect(violations({ ...needed, HOST })).toEqual(['HOST: must be an IP address or a host name']);
});

test('the default host is all addresses in production only', () => {
	expect(hostOf({ NODE_ENV: 'production' })).toBe('0.0.0.0');
	expect(hostOf({ NODE_ENV: 'development' })).toBe('127.0.0.1');
	expect(hostOf({ NODE_ENV: 'production', HOST: '10.0.0.1' })).toBe('10.0.0.1');
});
