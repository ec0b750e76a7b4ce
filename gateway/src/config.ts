import {
	addressListSetting,
	contextsSetting,
	hostOf,
	integerSetting,
	listSetting,
	portSetting,
	processSettings,
	readSettings,
	switchSetting,
} from '@paddock/service';
import { z } from 'zod';
import { contextNames } from './contexts.ts';

const pathPrefix = z
	.string()
	.regex(/^\/[a-z0-9-]+$/, 'must be one path segment such as /actuator')
	.refine(
		(path) => !['/auth', '/api', '/docs', '/postman', '/status', '/assets'].includes(path),
		'is taken by other pages',
	);

const originList = listSetting
	.unwrap()
	.refine((origins) => origins.every(isOrigin), 'must be exact origins such as https://app.example.org')
	.default([]);

/** Rates are requests a minute; 0 switches a limit off. */
const rate = (fallback: number) => integerSetting(0, 1_000_000, fallback);

/** What the gateway reads from its environment. */
export const gatewaySettings = z
	.object({
		...processSettings,
		PORT: portSetting(8080),
		BUILD_COMMIT: z
			.string()
			.regex(/^[0-9a-f]{7,64}$/, 'must be a commit id in hexadecimal')
			.optional()
			.describe(
				'The commit that the image was built from; without it that of the checkout, where it is one.',
			),
		BUILD_TIME: z.iso
			.datetime('must be an instant such as 2026-02-28T12:00:00Z')
			.optional()
			.describe('When the image was built; `/actuator/info` shows it.'),
		OPS_PORT: portSetting(0)
			.unwrap()
			.optional()
			.describe(
				'A port of its own for the pages of operators, other than PORT; without it they are at PORT. Nothing is rate-limited there: do not publish it.',
			),
		OPS_PREFIX: pathPrefix.default('/actuator').describe('Where the pages of operators are.'),
		CONTEXTS: contextsSetting(contextNames).describe(
			'The contexts that this deployment has; addresses of the others answer 404.',
		),
		STATUS_PAGE: switchSetting(true).describe('Whether there is a `/status`.'),
		TRUSTED_PROXIES: addressListSetting([]).describe(
			'The proxies in front whose `X-Forwarded-*` headers are believed; to all others the caller is who connects.',
		),
		CORS_ORIGINS: originList.describe('The origins whose pages may call from a browser.'),
		RATE_LIMIT_SIGN_IN: rate(20).describe(
			'Sign-ins without a device token and registrations a minute from one address (of IPv6, one /64). The same number applies to sign-ins with one `X-Device-Token` from one address, and to refreshes with one token; ten times the number to all sign-ins with device tokens, and to all refreshes, from one address. 0 = no limit.',
		),
		RATE_LIMIT_ANONYMOUS: rate(100).describe(
			'Requests a minute without a valid token from one address (of IPv6, one /64), the portal and the pages of operators included; 0 = no limit.',
		),
		RATE_LIMIT_USER: rate(300).describe('Requests a minute of one user; 0 = no limit.'),
		RATE_LIMIT_OFFICER: rate(1_000).describe(
			'Requests a minute of one federation officer or administrator; 0 = no limit.',
		),
		URL_BYTES_MAX: integerSetting(256, 65_536, 8_192).describe(
			'The longest path with query; longer ones are answered 414.',
		),
		HEADER_BYTES_MAX: integerSetting(1_024, 65_536, 16_384).describe(
			'The most that the headers of a request may take together; more is answered 431.',
		),
		HEADERS_TIMEOUT_MS: integerSetting(100, 120_000, 10_000).describe(
			'How long a client may take to send the headers of a request; no longer than REQUEST_TIMEOUT_MS.',
		),
		REQUEST_TIMEOUT_MS: integerSetting(100, 600_000, 30_000).describe(
			'How long a client may take to send a whole request; later it is answered 408.',
		),
		BODY_BUFFER_BYTES_MAX: integerSetting(1_024, 17_179_869_184, 67_108_864).describe(
			'Memory for the request bodies of all clients together; a request beyond it gets 503 `OVERLOADED`. At least BODY_BYTES_MAX. The bodies of one client (user, or network of an anonymous client) occupy at most one eighth of it, or BODY_BYTES_MAX if that is more.',
		),
		BODY_RATE_MIN: integerSetting(0, 1_000_000, 240).describe(
			'Minimum rate of a request body in bytes a second, in each interval of BODY_GRACE_MS; a slower one gets 408. 0 = no minimum.',
		),
		BODY_GRACE_MS: integerSetting(100, 600_000, 5_000).describe(
			'Interval in which a request body must bring its bytes at BODY_RATE_MIN; a body that stalls ends after at most twice this time.',
		),
		KEEP_ALIVE_TIMEOUT_MS: integerSetting(100, 600_000, 65_000).describe(
			'How long the connection of a client stays open without a request; longer than a load balancer in front keeps its own.',
		),
		CONNECT_TIMEOUT_MS: integerSetting(10, 60_000, 1_000).describe(
			'How long connecting to an instance may take.',
		),
		RESPONSE_TIMEOUT_MS: integerSetting(50, 120_000, 5_000).describe(
			'How long one attempt may take until the response headers of an instance are here; one that takes longer has failed.',
		),
		DEADLINE_MS: integerSetting(50, 300_000, 8_000).describe(
			'How long all attempts for one request may take together until response headers are here; later it is answered 504.',
		),
		IDLE_TIMEOUT_MS: integerSetting(50, 600_000, 30_000).describe(
			'How long an instance may pause within its answer, and a client may leave what is there for it untaken, before the connection is broken off.',
		),
		UPSTREAM_SOCKETS_MAX: integerSetting(1, 10_000, 256).describe(
			'Attempts at once at one instance; as many again wait for their turn, further ones are refused with 503.',
		),
		UPSTREAM_IDLE_MS: integerSetting(100, 600_000, 30_000).describe(
			'How long an unused connection to an instance is kept; shorter than the instance keeps its own.',
		),
		SESSION_CHECK_TIMEOUT_MS: integerSetting(10, 10_000, 1_000).describe(
			'Deadline for one attempt to check the session of an administrative write with auth; after two the write is refused with 503.',
		),
		EVENT_LOOP_DELAY_MAX_MS: integerSetting(10, 60_000, 250).describe(
			'The delay of the event loop, as the mean of half a second, beyond which requests are refused with 503 `OVERLOADED`.',
		),
		IN_FLIGHT_MAX: integerSetting(1, 1_000_000, 2_000).describe(
			'Requests in flight, from which on further ones are refused with 503 `OVERLOADED`.',
		),
		BREAKER_WINDOW_MS: integerSetting(1_000, 600_000, 30_000).describe(
			'How long the result of an attempt counts for the circuit breaker of its instance; at least three times RESPONSE_TIMEOUT_MS.',
		),
		BREAKER_VOLUME: integerSetting(1, 100_000, 10).describe(
			'Results within the window below which a breaker never opens.',
		),
		BREAKER_FAILURE_PERCENT: integerSetting(1, 99, 50).describe(
			'The share of failures in the window beyond which a breaker opens.',
		),
		BREAKER_OPEN_MS: integerSetting(50, 600_000, 10_000).describe(
			'How long a breaker stays open before the instance is tried again.',
		),
		RETRY_BUDGET_PERCENT: integerSetting(0, 100, 20).describe(
			'The share of the requests in flight that may be retries.',
		),
		RETRY_BUDGET_MIN: integerSetting(0, 1_000, 3).describe(
			'Retries at once that are allowed however few requests are in flight.',
		),
		HEALTH_TIMEOUT_MS: integerSetting(10, 10_000, 1_000).describe(
			'How long an instance may take to answer when it is asked for its health.',
		),
		HEALTH_SHARED_MS: integerSetting(0, 60_000, 1_000).describe(
			'How long one round of questions about health serves everybody who asks.',
		),
		HEALTH_WATCH_MS: integerSetting(500, 600_000, 5_000).describe(
			'How often the gateway looks at the health of everything when nobody asks.',
		),
		HEALTH_LISTENERS_MAX: integerSetting(0, 10_000, 100).describe(
			'Connections to the stream of health in all; more are refused with 503.',
		),
		HEALTH_LISTENERS_PER_CLIENT_MAX: integerSetting(1, 10_000, 10).describe(
			'Connections to the stream of health from one address (of IPv6, one /64); more are refused with 429. Not on OPS_PORT.',
		),
		HEALTH_DETAILS: z
			.enum(['always', 'authorized'], 'must be always or authorized')
			.default('always')
			.describe(
				'Who sees instances, addresses and causes in health and, at PORT, the scrape targets: all callers, or federation officers and administrators only.',
			),
	})
	.refine((settings) => settings.HEADERS_TIMEOUT_MS <= settings.REQUEST_TIMEOUT_MS, {
		path: ['HEADERS_TIMEOUT_MS'],
		message: 'must not be longer than REQUEST_TIMEOUT_MS',
		when: haveAll('HEADERS_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS'),
	})
	.refine((settings) => settings.BODY_BYTES_MAX <= settings.BODY_BUFFER_BYTES_MAX, {
		path: ['BODY_BUFFER_BYTES_MAX'],
		message: 'must not be smaller than BODY_BYTES_MAX',
		when: haveAll('BODY_BYTES_MAX', 'BODY_BUFFER_BYTES_MAX'),
	})
	.refine(
		(settings) =>
			settings.OPS_PORT === undefined || settings.OPS_PORT === 0 || settings.OPS_PORT !== settings.PORT,
		{
			path: ['OPS_PORT'],
			message: 'must be another port than PORT',
			when: haveAll('PORT', 'OPS_PORT'),
		},
	);

export type GatewayConfig = z.output<typeof gatewaySettings> & { readonly host: string };

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): GatewayConfig {
	const settings = readSettings(gatewaySettings, env);
	return { ...settings, host: hostOf(settings) };
}

/** The settings' names, for whoever checks that a deployment file sets only what exists. */
export const settingNames: readonly string[] = Object.keys(gatewaySettings.shape);

/** Settings that go together are compared even where others are unusable, so that every violation is listed at once. */
function haveAll(...names: string[]): (payload: z.core.ParsePayload) => boolean {
	return ({ value, issues }) => {
		const bad = issues.map((issue) => issue.path?.[0]);
		return value !== undefined && !names.some((name) => bad.includes(name));
	};
}

function isOrigin(text: string): boolean {
	// The URL parser takes `*` for a name like any other, but no browser sends it.
	return /^https?:/.test(text) && !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;
}
