import {
	integerSetting,
	isDevelopmentSecret,
	portSetting,
	readSettings,
	serviceSettings,
	switchSetting,
} from '@paddock/service';
import { z } from 'zod';
import { argon2Recommended } from './passwords/password-hash.ts';
import { passwordLengthMinDefault } from './passwords/password-rules.ts';
import { serviceSecretsSetting } from './service-tokens/service-secrets-setting.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

// RFC 9068 asks for short-lived access tokens, as nothing can call one back; verifiers refuse a longer life.
const accessTokenMaxMs = 15 * minuteMs;

const shape = z.object({
	...serviceSettings,
	PORT: portSetting(8081),
	DATABASE_URL: z
		.string()
		.regex(/^postgres(ql)?:\/\//, 'must be an address such as postgres://role:password@host:5432/auth'),
	DATABASE_POOL_MAX: integerSetting(2, 100, 10),
	ADMIN_EMAIL: z.string().optional(),
	ADMIN_PASSWORD: z.string().optional(),
	DEMO: switchSetting(false),
	SERVICE_SECRETS: serviceSecretsSetting,

	// NIST SP 800-63B-4 §3.1.1.2 wants 15 for a password alone and 8 beside a second factor; below 8 nothing is left.
	PASSWORD_LENGTH_MIN: integerSetting(8, 64, passwordLengthMinDefault),
	PASSWORD_HASH_MEMORY_KIB: integerSetting(8, 1_048_576, argon2Recommended.memoryKib),
	PASSWORD_HASH_PASSES: integerSetting(1, 20, argon2Recommended.passes),
	PASSWORD_HASHES_AT_ONCE: integerSetting(1, 16, 2),
	PASSWORD_HASHES_WAITING_MAX: integerSetting(0, 10_000, 100),

	SIGN_IN_FREE_FAILURES: integerSetting(0, 100, 4),
	SIGN_IN_DELAY_MS: integerSetting(1, 10 * minuteMs, secondMs),
	SIGN_IN_ACCOUNT_FAILURES_MAX: integerSetting(1, 1_000, 10),
	SIGN_IN_ADDRESS_FAILURES_MAX: integerSetting(1, 100_000, 10),
	SIGN_IN_LOCK_MS: integerSetting(1, dayMs, 15 * minuteMs),

	ACCESS_TOKEN_MS: integerSetting(secondMs, accessTokenMaxMs, accessTokenMaxMs).refine(
		(ms) => ms % secondMs === 0,
		'must be whole seconds: a token says its times in seconds',
	),
	REFRESH_TOKEN_MS: integerSetting(secondMs, 90 * dayMs, 14 * dayMs),
	REFRESH_GRACE_MS: integerSetting(0, minuteMs, 10 * secondMs),
	SESSION_MS_MAX: integerSetting(secondMs, 366 * dayMs, 90 * dayMs),

	KEY_ROTATION_DAYS: integerSetting(1, 366, 30),
	KEY_LEAD_MS: integerSetting(1, dayMs, 2 * minuteMs),
	KEY_RELOAD_MS: integerSetting(0, minuteMs, 5 * secondMs),
	MAINTENANCE_INTERVAL_MS: integerSetting(10, dayMs, minuteMs),
});

export type AuthSettings = z.output<typeof shape>;

/** In production these would be an open door or an outage, whoever set them. */
const productionRules: readonly [keyof AuthSettings, (settings: AuthSettings) => boolean, string][] = [
	['ADMIN_EMAIL', (s) => s.ADMIN_EMAIL !== undefined, 'is required with NODE_ENV=production'],
	['ADMIN_PASSWORD', (s) => s.ADMIN_PASSWORD !== undefined, 'is required with NODE_ENV=production'],
	[
		'SERVICE_SECRETS',
		(s) => ![...s.SERVICE_SECRETS.values()].some(isDevelopmentSecret),
		'is required with NODE_ENV=production, and must not hold a development secret',
	],
	['DEMO', (s) => !s.DEMO, 'must be off with NODE_ENV=production: everybody knows the demo password'],
	[
		'PASSWORD_HASH_MEMORY_KIB',
		(s) => s.PASSWORD_HASH_MEMORY_KIB >= argon2Recommended.memoryKib,
		`must be at least ${argon2Recommended.memoryKib} with NODE_ENV=production`,
	],
	[
		'PASSWORD_HASH_PASSES',
		(s) => s.PASSWORD_HASH_PASSES >= argon2Recommended.passes,
		`must be at least ${argon2Recommended.passes} with NODE_ENV=production`,
	],
	[
		'KEY_LEAD_MS',
		(s) => s.KEY_LEAD_MS >= minuteMs,
		`must be at least ${minuteMs} with NODE_ENV=production: verifiers fetch new keys once a minute`,
	],
];

const rules: typeof productionRules = [
	[
		'ADMIN_PASSWORD',
		(s) => (s.ADMIN_EMAIL === undefined) === (s.ADMIN_PASSWORD === undefined),
		'and ADMIN_EMAIL go together: give both or neither',
	],
	[
		'KEY_RELOAD_MS',
		(s) => s.KEY_RELOAD_MS <= s.KEY_LEAD_MS,
		'must not be longer than KEY_LEAD_MS: every instance has to know a key before it signs',
	],
];

const settings = shape.superRefine((value, context) => {
	const all = value.NODE_ENV === 'production' ? [...rules, ...productionRules] : rules;
	for (const [name, holds, message] of all) {
		if (!holds(value)) context.addIssue({ code: 'custom', path: [name], message });
	}
});

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): AuthSettings {
	return readSettings(settings, env);
}

/** The environment variables that this service reads. */
export const settingNames: readonly string[] = Object.keys(shape.shape);
