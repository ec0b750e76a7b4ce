import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { developmentSecretOf, ownServiceSecret, serviceSecretSetting } from './context-settings.ts';
import { readSettings, withRules } from './read-settings.ts';

const shape = z.object({
	NODE_ENV: z.string().default('development'),
	SERVICE_SECRET: serviceSecretSetting('horses-service'),
});
const settings = withRules(shape, [ownServiceSecret]);
const read = (env: Readonly<Record<string, string>>) => readSettings(settings, env).SERVICE_SECRET;
const own = 's'.repeat(32);

describe('the secret of a service', () => {
	test('is a public one in development, long enough for its own rule, and differs from service to service', () => {
		expect(read({})).toBe(developmentSecretOf('horses-service'));
		expect(read({ SERVICE_SECRET: developmentSecretOf('events-service') })).not.toBe(read({}));
	});

	test.each([
		['nothing', {}],
		['the public one', { SERVICE_SECRET: developmentSecretOf('horses-service') }],
		['the public one of another service', { SERVICE_SECRET: developmentSecretOf('events-service') }],
	])('must not be %s in production', (_case, env) => {
		expect(() => read({ NODE_ENV: 'production', ...env })).toThrow('SERVICE_SECRET: is required');
	});

	test('is accepted unchanged', () => {
		expect(read({ NODE_ENV: 'production', SERVICE_SECRET: own })).toBe(own);
	});

	test.each([own.slice(1), `${own},x`, `${own} `, `${own}ä`, 's'.repeat(257)])(
		'must not be %j, and no message repeats it',
		(secret) => {
			expect(() => read({ SERVICE_SECRET: secret })).toThrow(/^(?!.*sss).*SERVICE_SECRET: must be 32/s);
		},
	);
});
