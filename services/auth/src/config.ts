import {
	contextPort,
	databaseUrlSetting,
	deployedContextsSetting,
	integerSetting,
	isDevelopmentSecret,
	jobPollSetting,
	migrationSettings,
	processRules,
	type SettingRule,
	serviceSettings,
	switchSetting,
	withRules,
} from '@paddock/service/settings';
import { z } from 'zod';
import { context } from '../context.ts';
import { encryptionKeysSetting, includesDevelopmentKey } from './encryption/encryption-keys.ts';
import { isPublishedPassword } from './passwords/known-passwords.ts';
import { argon2Recommended, passwordLengthMinDefault } from './passwords/password-hash.ts';
import { serviceSecretsSetting } from './service-tokens/service-clients.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

// Verifiers refuse a longer lifetime: it bounds the time for which revocations are stored.
const accessTokenMaxMs = 15 * minuteMs;

/** An origin of a secure context (W3C Secure Contexts §3.1); browsers offer passkeys to no other page. */
function isOrigin(text: string): boolean {
	const url = URL.parse(text);
	return url?.origin === text && (url.protocol === 'https:' || url.hostname === 'localhost');
}

// nodemailer reads a comma, semicolon or colon that is not in quotes as the end of an address; `from` would be several.
const mailAddress = /[^\s@<>,;:"()]+@[^\s@<>,;:"()]+/.source;
const senderName = /(?:"(?:[^"\\\r\n]|\\[^\r\n])+" *|[^@<>,;:"()\\\r\n]+)/.source;

const smtpForm = 'must be an address such as smtp://user:password@mail.example.org:587';

const shape = z.object({
	...serviceSettings,
	PORT: contextPort(context),
	DATABASE_URL: databaseUrlSetting('auth'),
	DATABASE_POOL_MAX: integerSetting(2, 100, 10).describe(
		'Maximum number of database connections; transactions use at most half of them, the others are left to reads.',
	),
	...migrationSettings('auth'),
	ADMIN_EMAIL: z.string().optional().meta({
		description:
			'E-mail address of the first administrator. The account is created at the start if there is no administrator. Set it together with ADMIN_PASSWORD.',
		allowed: 'an e-mail address',
	}),
	ADMIN_PASSWORD: z.string().optional().meta({
		description: 'Password of the first administrator; ignored if there is an administrator.',
		allowed: 'a password that meets the rules for new passwords',
	}),
	DEMO: switchSetting(false).describe(
		'Whether the service creates demo accounts at the start; their password is public.',
	),
	CONTEXTS: deployedContextsSetting(context).describe(
		'Contexts of this deployment; without `members` the ids of members and clubs are not checked.',
	),
	PEER_TIMEOUT_MS: integerSetting(50, 60_000, 1_500).describe(
		'Timeout of one attempt to call the members service; a call with its retry takes at most twice as long.',
	),
	SMTP_URL: z
		.string()
		.regex(/^smtps?:\/\//, { error: smtpForm, abort: true })
		.refine((url) => URL.canParse(url), smtpForm)
		.optional()
		.describe(
			'Address of the mail server, `smtps://` for TLS from the start; `smtp://` uses STARTTLS if the server offers it, and `?requireTLS=true` refuses to send without.',
		),
	MAIL_DIR: z
		.string()
		.min(1)
		.optional()
		.describe(
			'Directory to which mails are written as `.eml` files without SMTP_URL, for development. With neither, mails wait in their queue.',
		),
	MAIL_FROM: z
		.string()
		.regex(
			new RegExp(`^(?:${mailAddress}|${senderName}?<${mailAddress}>)$`),
			'must be one address such as Paddock <office@example.org>; a name with , ; : ( ) or @ is in double quotes',
		)
		.default('Paddock <no-reply@paddock.invalid>')
		.describe('Sender of all mails, with its name.'),
	MAIL_BOUNCES_TO: z
		.string()
		.regex(new RegExp(`^${mailAddress}$`), 'must be one address such as bounces@example.org')
		.optional()
		.describe(
			'Envelope sender (Return-Path) of all mails, to which servers report those that they could not deliver. By default the address of MAIL_FROM.',
		),
	MAIL_REPORTS_SECRET: z
		.string()
		.regex(/^[\w.~+/-]{32,256}={0,2}$/, 'must be 32 to 256 letters, digits and characters of `-._~+/`')
		.optional()
		.meta({
			description:
				'Secret with which a mail server hands in reports on undelivered mails (`POST /internal/mail-reports`), and which signs the Message-ID of each mail. Without it reports are refused. After a change, reports on earlier mails are not used.',
			allowed: 'e.g. `openssl rand -hex 32`',
		}),
	PUBLIC_URL: z
		.string()
		.regex(/^https?:\/\/[^\s?#]+$/, 'must be an address such as https://paddock.example.org')
		.transform((url) => url.replace(/\/+$/, ''))
		.default('http://127.0.0.1:8080')
		.describe('Address of the gateway as its users know it, for the links in mails.'),
	JOB_POLL_MS: jobPollSetting,
	EMAIL_VERIFICATION: switchSetting(true).unwrap().optional().meta({
		description:
			'Whether the address of a new account has to be verified with the link in a mail. By default `on`, with DEMO=on `off`.',
		allowed: '`on` or `off`',
	}),
	UNVERIFIED_ACCOUNT_DAYS: integerSetting(1, 365, 7).describe(
		'Time after which an account whose address was not verified is deleted; an invited one not while its link is valid.',
	),
	SERVICE_SECRETS: serviceSecretsSetting.meta({
		description:
			'Secrets of the services that call other services, each the SERVICE_SECRET of that service; a service that is not listed gets no token, one that is listed twice may use either secret.',
		allowed: '`horses-service=SECRET,…`',
	}),

	// NIST SP 800-63B-4 §3.1.1.2: at least 15 for a password alone, at least 8 with a second factor.
	PASSWORD_LENGTH_MIN: integerSetting(8, 64, passwordLengthMinDefault).describe(
		'Minimum length of a new password in characters.',
	),
	PASSWORD_HASH_MEMORY_KIB: integerSetting(8, 1_048_576, argon2Recommended.memoryKib).describe(
		'Memory of one password hash (argon2id).',
	),
	PASSWORD_HASH_PASSES: integerSetting(1, 20, argon2Recommended.passes).describe(
		'Passes of one password hash (argon2id) over its memory.',
	),
	PASSWORD_HASHES_AT_ONCE: integerSetting(1, 16, 2).describe(
		'Concurrent password hashes; each occupies one core and PASSWORD_HASH_MEMORY_KIB.',
	),
	PASSWORD_HASHES_WAITING_MAX: integerSetting(0, 10_000, 100).describe(
		'Maximum length of the queue of password hashes, which is served fairly by client address and known device; further ones are refused with 503, those of the busiest address first.',
	),

	SIGN_IN_FREE_FAILURES: integerSetting(0, 100, 4).describe(
		'Consecutive wrong passwords without a delay, counted per account for unknown devices and per known device.',
	),
	SIGN_IN_DELAY_MS: integerSetting(1, 10 * minuteMs, secondMs).describe(
		'Delay after the first wrong password beyond SIGN_IN_FREE_FAILURES; it doubles with each further one.',
	),
	SIGN_IN_ACCOUNT_FAILURES_MAX: integerSetting(1, 1_000, 10).describe(
		'Consecutive wrong passwords that lock an account for unknown devices, or lock a known device.',
	),
	SIGN_IN_LOCK_MS: integerSetting(1, dayMs, 15 * minuteMs).describe(
		'Duration of a lock; the count of wrong passwords is reset this long after the last one.',
	),
	SIGN_IN_ADDRESS_FAILURES_MAX: integerSetting(1, 100_000, 100).describe(
		'Maximum number of wrong passwords per client address within SIGN_IN_ADDRESS_WINDOW_MS; then sign-ins from the address are refused until the oldest one leaves the window. Known devices are exempt.',
	),
	SIGN_IN_ADDRESS_WINDOW_MS: integerSetting(1, dayMs, 15 * minuteMs).describe(
		'Window of SIGN_IN_ADDRESS_FAILURES_MAX.',
	),
	DEVICE_TOKEN_DAYS: integerSetting(1, 730, 180).describe(
		'Lifetime of a known device after its last sign-in.',
	),
	DEVICES_PER_ACCOUNT_MAX: integerSetting(1, 100, 20).describe(
		'Maximum number of known devices per account; beyond it devices that signed in only once are removed first, then the one with the oldest sign-in.',
	),

	ACCESS_TOKEN_MS: integerSetting(secondMs, accessTokenMaxMs, accessTokenMaxMs)
		.refine((ms) => ms % secondMs === 0, 'must be whole seconds: the times in a token are in seconds')
		.describe(
			'Lifetime of an access token, in whole seconds. If the gateway has lost the revocation feed, it accepts a revoked token for reads for this long.',
		),
	REFRESH_TOKEN_MS: integerSetting(secondMs, 90 * dayMs, 14 * dayMs).describe(
		'Lifetime of an unused refresh token.',
	),
	REFRESH_GRACE_MS: integerSetting(0, minuteMs, 10 * secondMs).describe(
		'Time during which a refresh token may be used again if the token issued for it is unused, since the response may have been lost; any other reuse ends the session.',
	),
	SESSION_MS_MAX: integerSetting(secondMs, 366 * dayMs, 90 * dayMs).describe(
		'Maximum lifetime of a session after its sign-in, with any number of refreshes.',
	),

	REQUIRE_MFA: z
		.enum(['admin', 'off'], 'must be admin or off')
		.optional()
		.describe(
			'Accounts that must have a second factor: with `admin` those with the role ADMIN, whose sign-in without one leads to the enrolment only. By default `admin` with NODE_ENV=production, else `off`.',
		),
	OIDC_ISSUER: z
		.url({ protocol: /^https?$/, error: 'must be an address such as https://id.example.org' })
		.optional()
		.describe(
			'Issuer of an external identity provider (OpenID Connect), with which accounts sign in besides their password. Its callback is PUBLIC_URL with `/auth/oidc/callback`. Without it there is no external sign-in.',
		),
	OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client id of this system at OIDC_ISSUER.'),
	OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret of this system at OIDC_ISSUER.'),
	OIDC_NAME: z
		.string()
		.min(1)
		.max(60)
		.optional()
		.describe('Name of the identity provider on its button; by default the host name of OIDC_ISSUER.'),
	OIDC_SCOPE: z
		.string()
		.regex(/^openid( [!#-[\]-~]+)*$/, 'must begin with openid')
		.default('openid email profile')
		.describe('Scopes that are requested at OIDC_ISSUER. The address comes with `email`.'),
	OIDC_REGISTRATION: switchSetting(false).describe(
		'Whether the first sign-in with OIDC_ISSUER creates an account if none has its verified address.',
	),
	OIDC_TIMEOUT_MS: integerSetting(100, 4_500, 4_000).describe(
		'Timeout of all requests to OIDC_ISSUER in one step of a sign-in. The gateway waits five seconds for auth.',
	),
	PASSKEY_RP_ID: z
		.string()
		.regex(
			/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z]([a-z0-9-]*[a-z0-9])?$/,
			'must be a host name such as paddock.example.org',
		)
		.optional()
		.describe(
			'Host name of the pages that use passkeys, or a domain above it (the relying party of WebAuthn). Enrolled passkeys are bound to it. Without it passkeys are off; outside of production it is `localhost` by default.',
		),
	PASSKEY_ORIGINS: z
		.string()
		.transform((list) => list.split(',').map((origin) => origin.trim()))
		.refine(
			(origins) => origins.every(isOrigin),
			'must be a list of origins such as https://paddock.example.org',
		)
		.optional()
		.describe(
			'Origins of the pages that use passkeys, by default `https://` with PASSKEY_RP_ID; for `localhost` also any port with `http://`.',
		),
	KEY_ENCRYPTION_KEY: encryptionKeysSetting.meta({
		description:
			'Key that encrypts the private signing keys and the secrets of authenticator apps in the database (AES-256-GCM), or the current and the previous one as `NEW,OLD`; maintenance encrypts everything with the first. Keep a copy apart from the database and its backups. `npm start` makes one in DATA_DIR.',
		allowed: '64 hexadecimal digits, for instance of `openssl rand -hex 32`',
	}),
	KEY_ROTATION_DAYS: integerSetting(1, 366, 30).describe(
		'Time for which one key signs access tokens before the next one replaces it.',
	),
	KEY_LEAD_MS: integerSetting(1, dayMs, 2 * minuteMs).describe(
		'Time for which a key is published before it signs; set it longer than the interval in which the gateway and services fetch keys.',
	),
	KEY_RELOAD_MS: integerSetting(0, minuteMs, 5 * secondMs).describe(
		'Interval in which keys are read from the database; at most KEY_LEAD_MS.',
	),
	MAINTENANCE_INTERVAL_MS: integerSetting(10, dayMs, minuteMs).describe(
		'Interval of the maintenance run, which rotates keys, removes ended sessions and old failures, and looks up the clubs of up to 2,000 linked members.',
	),
});

export type AuthSettings = z.output<typeof shape>;

type Rule = SettingRule<AuthSettings>;

const withSecret = 'is required with NODE_ENV=production, and must not contain a development secret';

/** Rules for production: breaking one would let attackers in or cause an outage. */
const productionRules: readonly Rule[] = [
	inProduction('ADMIN_EMAIL', (s) => s.ADMIN_EMAIL !== undefined, 'is required with NODE_ENV=production'),
	inProduction(
		'ADMIN_PASSWORD',
		(s) => s.ADMIN_PASSWORD !== undefined,
		'is required with NODE_ENV=production',
	),
	inProduction(
		'ADMIN_PASSWORD',
		(s) => s.ADMIN_PASSWORD === undefined || !isPublishedPassword(s.ADMIN_PASSWORD),
		'must not be a published password with NODE_ENV=production: that of the demo accounts, or one of the documentation',
	),
	inProduction(
		'SERVICE_SECRETS',
		(s) => ![...s.SERVICE_SECRETS.values()].flat().some(isDevelopmentSecret),
		withSecret,
	),
	inProduction('KEY_ENCRYPTION_KEY', (s) => !includesDevelopmentKey(s.KEY_ENCRYPTION_KEY), withSecret),
	inProduction(
		'EMAIL_VERIFICATION',
		(s) => s.EMAIL_VERIFICATION !== false,
		'must not be off with NODE_ENV=production: accounts could be made with foreign addresses',
	),
	inProduction(
		'SMTP_URL',
		(s) => s.SMTP_URL !== undefined || s.MAIL_DIR !== undefined,
		'is required with NODE_ENV=production, or MAIL_DIR: addresses could not be verified nor new passwords set',
	),
	inProduction(
		'OIDC_ISSUER',
		(s) => s.OIDC_ISSUER === undefined || s.OIDC_ISSUER.startsWith('https:'),
		'must be https with NODE_ENV=production: its responses decide who is signed in',
	),
	inProduction('DEMO', (s) => !s.DEMO, 'must be off with NODE_ENV=production: the demo password is public'),
	inProduction(
		'PASSWORD_HASH_MEMORY_KIB',
		(s) => s.PASSWORD_HASH_MEMORY_KIB >= argon2Recommended.memoryKib,
		`must be at least ${argon2Recommended.memoryKib} with NODE_ENV=production`,
	),
	inProduction(
		'PASSWORD_HASH_PASSES',
		(s) => s.PASSWORD_HASH_PASSES >= argon2Recommended.passes,
		`must be at least ${argon2Recommended.passes} with NODE_ENV=production`,
	),
	inProduction(
		'KEY_LEAD_MS',
		(s) => s.KEY_LEAD_MS >= minuteMs,
		`must be at least ${minuteMs} with NODE_ENV=production: verifiers fetch new keys once a minute`,
	),
];

function inProduction(name: keyof AuthSettings, isMet: Rule['isMet'], message: string): Rule {
	return { names: [name, 'NODE_ENV'], isMet: (s) => s.NODE_ENV !== 'production' || isMet(s), message };
}

const rules: readonly Rule[] = [
	...processRules,
	{
		names: ['PASSKEY_ORIGINS', 'PASSKEY_RP_ID'],
		isMet: ({ PASSKEY_ORIGINS: origins, PASSKEY_RP_ID: id }) =>
			origins === undefined ||
			origins.every((origin) => `.${new URL(origin).hostname}`.endsWith(`.${id ?? 'localhost'}`)),
		message: 'must be origins on PASSKEY_RP_ID or below',
	},
	{
		names: ['ADMIN_PASSWORD', 'ADMIN_EMAIL'],
		isMet: (s) => (s.ADMIN_EMAIL === undefined) === (s.ADMIN_PASSWORD === undefined),
		message: 'and ADMIN_EMAIL go together: give both or neither',
	},
	{
		names: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
		isMet: ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client, OIDC_CLIENT_SECRET: secret }) =>
			new Set([issuer, client, secret].map((value) => value === undefined)).size === 1,
		message: 'and OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: give all or none',
	},
	{
		names: ['KEY_RELOAD_MS', 'KEY_LEAD_MS'],
		isMet: (s) => s.KEY_RELOAD_MS <= s.KEY_LEAD_MS,
		message: 'must not be longer than KEY_LEAD_MS: every instance must load a key before it signs',
	},
];

/** Settings of this service. */
export const settings = withRules(shape, [...rules, ...productionRules]);
