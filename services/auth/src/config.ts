import {
	databaseUrlSetting,
	deployedContextsSetting,
	integerSetting,
	isDevelopmentSecret,
	portSetting,
	readSettings,
	serviceSettings,
	switchSetting,
} from '@paddock/service';
import { z } from 'zod';
import { context } from '../context.ts';
import { argon2Recommended } from './passwords/password-hash.ts';
import { passwordLengthMinDefault } from './passwords/password-rules.ts';
import { serviceSecretsSetting } from './service-tokens/service-secrets-setting.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

// Verifiers refuse a longer life: it bounds how long a revocation must be kept.
const accessTokenMaxMs = 15 * minuteMs;

const shape = z.object({
	...serviceSettings,
	PORT: portSetting(8080 + context.portOffset),
	DATABASE_URL: databaseUrlSetting('auth'),
	DATABASE_POOL_MAX: integerSetting(2, 100, 10).describe('Connections to its database at most.'),
	ADMIN_EMAIL: z.string().optional().meta({
		description:
			'The first administrator, whose account is made at the start where there is no administrator; goes together with ADMIN_PASSWORD.',
		allowed: 'an e-mail address',
	}),
	ADMIN_PASSWORD: z.string().optional().meta({
		description:
			'The password of that account when it is made; it is not used once there is an administrator.',
		allowed: 'what the rules for new passwords allow',
	}),
	DEMO: switchSetting(false).describe(
		'Whether the service puts invented accounts in at its start, with a password that everybody knows.',
	),
	CONTEXTS: deployedContextsSetting(context).describe(
		'The contexts that this deployment has; without members the ids of members and clubs are not checked.',
	),
	PEER_TIMEOUT_MS: integerSetting(50, 60_000, 1_500).describe(
		'Timeout of one attempt to call the members service; a whole call takes at most twice as long.',
	),
	SERVICE_SECRETS: serviceSecretsSetting.meta({
		description:
			'The secrets by which it knows the services that ask others, each the SERVICE_SECRET of that service; one that is not named gets no token.',
		allowed: '`horses-service=SECRET,…`',
	}),

	// NIST SP 800-63B-4 §3.1.1.2 wants 15 for a password alone and 8 beside a second factor; below 8 nothing is left.
	PASSWORD_LENGTH_MIN: integerSetting(8, 64, passwordLengthMinDefault).describe(
		'The least number of characters of a new password.',
	),
	PASSWORD_HASH_MEMORY_KIB: integerSetting(8, 1_048_576, argon2Recommended.memoryKib).describe(
		'What one password hash (argon2id) takes of memory.',
	),
	PASSWORD_HASH_PASSES: integerSetting(1, 20, argon2Recommended.passes).describe(
		'How many passes one password hash makes over its memory.',
	),
	PASSWORD_HASHES_AT_ONCE: integerSetting(1, 16, 2).describe(
		'Password hashes at once; each takes a core and its memory.',
	),
	PASSWORD_HASHES_WAITING_MAX: integerSetting(0, 10_000, 100).describe(
		'Password hashes that may wait, client addresses and known devices taking turns; further ones are refused with 503, those of the busiest address first.',
	),

	SIGN_IN_FREE_FAILURES: integerSetting(0, 100, 4).describe(
		'Wrong passwords in a row without a delay, for the unknown devices of an account together and for each known device.',
	),
	SIGN_IN_DELAY_MS: integerSetting(1, 10 * minuteMs, secondMs).describe(
		'The delay after the first wrong password beyond SIGN_IN_FREE_FAILURES; it doubles with each further one.',
	),
	SIGN_IN_ACCOUNT_FAILURES_MAX: integerSetting(1, 1_000, 10).describe(
		'Wrong passwords in a row that lock an account for unknown devices, or a known device.',
	),
	SIGN_IN_LOCK_MS: integerSetting(1, dayMs, 15 * minuteMs).describe(
		'Duration of a lock; a series of wrong passwords is forgotten so long after the last one.',
	),
	SIGN_IN_ADDRESS_FAILURES_MAX: integerSetting(1, 100_000, 100).describe(
		'Wrong passwords from one client address within SIGN_IN_ADDRESS_WINDOW_MS; then the address is refused until the oldest one leaves the window. Known devices are exempt.',
	),
	SIGN_IN_ADDRESS_WINDOW_MS: integerSetting(1, dayMs, 15 * minuteMs).describe(
		'The window in which wrong passwords from one client address are counted.',
	),
	DEVICE_TOKEN_DAYS: integerSetting(1, 730, 180).describe(
		'How long a device stays known after its last sign-in.',
	),
	DEVICES_PER_ACCOUNT_MAX: integerSetting(1, 100, 20).describe(
		'Known devices of one account; beyond it those that never came back are forgotten first, then the one that signed in longest ago.',
	),

	ACCESS_TOKEN_MS: integerSetting(secondMs, accessTokenMaxMs, accessTokenMaxMs)
		.refine((ms) => ms % secondMs === 0, 'must be whole seconds: a token says its times in seconds')
		.describe(
			'Lifetime of an access token, in whole seconds; if the gateway has lost the revocation feed, a revoked token is accepted for reads that long.',
		),
	REFRESH_TOKEN_MS: integerSetting(secondMs, 90 * dayMs, 14 * dayMs).describe(
		'How long a refresh token is good for if it is not used.',
	),
	REFRESH_GRACE_MS: integerSetting(0, minuteMs, 10 * secondMs).describe(
		'How long a refresh token may be used again while the token issued for it is unused, as the response may have been lost; any other second use ends the session.',
	),
	SESSION_MS_MAX: integerSetting(secondMs, 366 * dayMs, 90 * dayMs).describe(
		'How long after its sign-in a session ends, however often it was refreshed.',
	),

	KEY_ROTATION_DAYS: integerSetting(1, 366, 30).describe(
		'How long one key signs access tokens before the next takes over.',
	),
	KEY_LEAD_MS: integerSetting(1, dayMs, 2 * minuteMs).describe(
		'How long a key is published before it signs; longer than the gateway and services take to fetch keys.',
	),
	KEY_RELOAD_MS: integerSetting(0, minuteMs, 5 * secondMs).describe(
		'How long keys are used before they are read from the database again; no longer than KEY_LEAD_MS.',
	),
	MAINTENANCE_INTERVAL_MS: integerSetting(10, dayMs, minuteMs).describe(
		'The pause between two runs that rotate keys and remove dead sessions and old failures.',
	),
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

/** What this service reads from its environment. */
export const settings = shape.superRefine((value, refinement) => {
	const all = value.NODE_ENV === 'production' ? [...rules, ...productionRules] : rules;
	for (const [name, holds, message] of all) {
		if (!holds(value)) refinement.addIssue({ code: 'custom', path: [name], message });
	}
});

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): AuthSettings {
	return readSettings(settings, env);
}

/** The environment variables that this service reads. */
export const settingNames: readonly string[] = Object.keys(shape.shape);
