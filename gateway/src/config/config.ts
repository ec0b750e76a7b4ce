import { isRedisUrl } from '@paddock/redis/redis-url';
import { breakerDefault, retryBudgetDefault } from '@paddock/resilience';
import {
	addressListSetting,
	contextsSetting,
	hostOf,
	integerSetting,
	listSetting,
	noDemoInProduction,
	portSetting,
	processRules,
	processSettings,
	readSettings,
	resolveSecretFiles,
	type SettingRule,
	switchSetting,
	withRules,
} from '@paddock/service/settings';
import { z } from 'zod';
import { contextNames } from '../contexts/context-names.ts';
import { workersSetting } from './workers-setting.ts';

const pathPrefix = z
	.string()
	.regex(/^\/[a-z0-9-]+$/, 'must be one path segment such as /actuator')
	.refine(
		(path) =>
			![
				'/auth',
				'/api',
				'/docs',
				'/swagger',
				'/health',
				'/postman',
				'/status',
				'/runbook',
				'/app',
				'/assets',
			].includes(path),
		'must not be the prefix of other pages',
	);

const originList = listSetting
	.unwrap()
	.refine((origins) => origins.every(isOrigin), 'must be exact origins such as https://app.example.org')
	.default([]);

/** A rate limit in requests a minute; 0 = no limit. */
const rate = (fallback: number) => integerSetting(0, 1_000_000, fallback);

const shape = z.object({
	...processSettings,
	PORT: portSetting(8080),
	WORKERS: workersSetting,
	BUILD_COMMIT: z
		.string()
		.regex(/^[0-9a-f]{7,64}$/, 'must be a commit id in hexadecimal')
		.optional()
		.describe(
			'Commit that the image was built from; by default the commit of the Git checkout, if there is one.',
		),
	BUILD_TIME: z.iso
		.datetime('must be an instant such as 2026-02-28T12:00:00Z')
		.optional()
		.describe('Build time of the image, shown by `/actuator/info`.'),
	OPS_PORT: portSetting(0)
		.unwrap()
		.optional()
		.describe(
			'Separate port for the operations pages, other than PORT; by default they are served on PORT. No rate limits apply there: do not publish it.',
		),
	OPS_PREFIX: pathPrefix.default('/actuator').describe('Path prefix of the operations pages.'),
	CONTEXTS: contextsSetting(contextNames).describe(
		'Contexts of this deployment; paths of other contexts return 404.',
	),
	CONTEXTS_FILE: z
		.string()
		.optional()
		.describe(
			'YAML file that lists services of other projects to attach, see docs/attach-a-service.md. A changed file is read within five seconds, or at once after SIGHUP.',
		),
	CONTRACT_REFRESH_MS: integerSetting(1_000, 86_400_000, 60_000).describe(
		'Interval at which the contracts of attached services are read again, if the services publish them.',
	),
	DEMO: switchSetting(false).describe(
		'Whether the API explorer fills in the sign-in of the demo administrator.',
	),
	STATUS_PAGE: switchSetting(true).describe('Whether the page `/status` is served.'),
	CONSOLE: switchSetting(true).describe(
		'Whether the pages of accounts below `/app` are served, and their refresh tokens kept in a cookie. Links in mails lead to these pages.',
	),
	TRUSTED_PROXIES: addressListSetting([]).describe(
		'Proxies whose `X-Forwarded-*` headers are trusted; for other peers the address of the connection is the client address.',
	),
	CORS_ORIGINS: originList.describe('Origins that may call the API from a browser.'),
	RATE_LIMIT_SIGN_IN: rate(20).describe(
		'Sign-ins without a device token and registrations a minute per client address (IPv6: per /64). The same limit, counted separately, applies to sign-ins per address and `X-Device-Token`, to refreshes per token, to sign-ins with the identity provider and to requests for a mail with a link per address, and to claims of members per user; ten times the limit applies to all sign-ins with device tokens, and to all refreshes, per address. 0 = no limit.',
	),
	RATE_LIMIT_ANONYMOUS: rate(100).describe(
		'Requests a minute without a valid token per client address (IPv6: per /64), including the portal and the operations pages; ten times the limit, counted separately, applies to the files that pages load (`/assets/`). 0 = no limit.',
	),
	RATE_LIMIT_USER: rate(300).describe('Requests a minute per user; 0 = no limit.'),
	RATE_LIMIT_OFFICER: rate(1_000).describe(
		'Requests a minute per federation officer or administrator; 0 = no limit.',
	),
	REDIS_URL: z
		.string()
		.refine(isRedisUrl, 'must be an address such as redis://user:password@host:6379, or rediss:// for TLS')
		.optional()
		.describe(
			'Address of a Redis or Valkey server in which all gateways count requests against the limits; by default each gateway counts on its own. While the server is unavailable, each gateway counts on its own.',
		),
	REDIS_TIMEOUT_MS: integerSetting(10, 2_000, 150).describe(
		'Timeout of one call to Redis; after a timeout the request is counted in memory.',
	),
	URL_BYTES_MAX: integerSetting(256, 65_536, 8_192).describe(
		'Maximum length of the path with its query; a longer one is refused with 414.',
	),
	HEADER_BYTES_MAX: integerSetting(1_024, 65_536, 16_384).describe(
		'Maximum total size of the request headers; larger ones are refused with 431.',
	),
	HEADERS_TIMEOUT_MS: integerSetting(100, 120_000, 10_000).describe(
		'Timeout for receiving the request headers; at most REQUEST_TIMEOUT_MS.',
	),
	REQUEST_TIMEOUT_MS: integerSetting(100, 600_000, 30_000).describe(
		'Timeout for receiving a whole request; then it is refused with 408.',
	),
	BODY_BUFFER_BYTES_MAX: integerSetting(1_024, 17_179_869_184, 67_108_864).describe(
		'Memory for the request bodies of all clients; a request that exceeds it is refused with 503 `OVERLOADED`. At least BODY_BYTES_MAX. The bodies of one client (a user, or the network of an anonymous client) occupy at most one eighth of it, or BODY_BYTES_MAX if that is more.',
	),
	BODY_RATE_MIN: integerSetting(0, 1_000_000, 240).describe(
		'Minimum rate of a request body in bytes a second, in each interval of BODY_GRACE_MS; a slower one is refused with 408. 0 = no minimum.',
	),
	BODY_GRACE_MS: integerSetting(100, 600_000, 5_000).describe(
		'Interval over which BODY_RATE_MIN is measured; a stalled body is refused after at most twice this time.',
	),
	RESPONSE_CACHE_BYTES: integerSetting(0, 17_179_869_184, 33_554_432).describe(
		'Memory of each process for stored responses of public routes that permit it by `Cache-Control: public`; the least recently used are removed. 0 = no cache.',
	),
	KEEP_ALIVE_TIMEOUT_MS: integerSetting(100, 600_000, 65_000).describe(
		'Idle timeout of client connections; set it longer than that of a load balancer in front.',
	),
	CONNECT_TIMEOUT_MS: integerSetting(10, 60_000, 1_000).describe('Timeout for connecting to an instance.'),
	RESPONSE_TIMEOUT_MS: integerSetting(50, 120_000, 5_000).describe(
		'Timeout for the response headers of one attempt; a slower attempt counts as failed.',
	),
	DEADLINE_MS: integerSetting(50, 300_000, 8_000).describe(
		'Timeout for the response headers of a request, including all attempts; then the response is 504.',
	),
	IDLE_TIMEOUT_MS: integerSetting(50, 600_000, 30_000).describe(
		'Idle timeout for response bodies: an instance that sends nothing, or a client that reads nothing, for this long is disconnected.',
	),
	UPSTREAM_SOCKETS_MAX: integerSetting(1, 10_000, 256).describe(
		'Concurrent attempts per instance. As many again are queued; further ones are refused with 503.',
	),
	UPSTREAM_IDLE_MS: integerSetting(100, 600_000, 30_000).describe(
		'Idle timeout of connections to instances; set it shorter than the idle timeout of the instances.',
	),
	SESSION_CHECK_TIMEOUT_MS: integerSetting(10, 10_000, 1_000).describe(
		'Timeout of one attempt to check the session of an administrative write with auth; after two failed attempts the write is refused with 503.',
	),
	EVENT_LOOP_DELAY_MAX_MS: integerSetting(10, 60_000, 250).describe(
		'Maximum event-loop delay, as the mean over half a second; above it for two of them in a row requests are refused with 503 `OVERLOADED`.',
	),
	IN_FLIGHT_MAX: integerSetting(1, 1_000_000, 2_000).describe(
		'Maximum number of requests in flight; further ones are refused with 503 `OVERLOADED`.',
	),
	BREAKER_WINDOW_MS: integerSetting(1_000, 600_000, breakerDefault.windowMs).describe(
		'Rolling window of the circuit breakers; at least three times RESPONSE_TIMEOUT_MS.',
	),
	BREAKER_VOLUME: integerSetting(1, 100_000, breakerDefault.volume).describe(
		'Minimum number of attempts in the window before a breaker can open.',
	),
	BREAKER_FAILURE_PERCENT: integerSetting(1, 99, breakerDefault.failurePercent).describe(
		'Failure rate in the window above which a breaker opens.',
	),
	BREAKER_OPEN_MS: integerSetting(50, 600_000, breakerDefault.openMs).describe(
		'Reset timeout: time that a breaker stays open before it becomes half-open.',
	),
	RETRY_BUDGET_PERCENT: integerSetting(0, 100, retryBudgetDefault.percent).describe(
		'Maximum share of retries among the requests in flight.',
	),
	RETRY_BUDGET_MIN: integerSetting(0, 1_000, retryBudgetDefault.min).describe(
		'Concurrent retries that are always allowed, however few requests are in flight.',
	),
	HEALTH_TIMEOUT_MS: integerSetting(10, 10_000, 1_000).describe('Timeout of one health probe.'),
	HEALTH_SHARED_MS: integerSetting(0, 60_000, 1_000).describe(
		'Time for which the result of a round of health probes is reused.',
	),
	HEALTH_WATCH_MS: integerSetting(500, 600_000, 5_000).describe(
		'Interval of the health probes that the gateway makes without being requested to; they also detect instances that do not respond.',
	),
	HEALTH_LISTENERS_MAX: integerSetting(0, 10_000, 100).describe(
		'Maximum number of connections to the health stream; further ones are refused with 503.',
	),
	HEALTH_LISTENERS_PER_CLIENT_MAX: integerSetting(1, 10_000, 10).describe(
		'Maximum number of connections to the health stream per client address (IPv6: per /64); further ones are refused with 429. Does not apply on OPS_PORT.',
	),
	HEALTH_DETAILS: z
		.enum(['always', 'authorized'], 'must be always or authorized')
		.default('always')
		.describe(
			'Who sees instances, addresses, causes, the administrators of overrides and the scrape targets on PORT: all callers, or federation officers and administrators only. On OPS_PORT all callers see them.',
		),
});

const windowTimeouts = 3;

const rules: readonly SettingRule<z.output<typeof shape>>[] = [
	...processRules,
	noDemoInProduction,
	{
		names: ['HEADERS_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS'],
		isMet: (settings) => settings.HEADERS_TIMEOUT_MS <= settings.REQUEST_TIMEOUT_MS,
		message: 'must not be longer than REQUEST_TIMEOUT_MS',
	},
	{
		names: ['BODY_BUFFER_BYTES_MAX', 'BODY_BYTES_MAX'],
		isMet: (settings) => settings.BODY_BYTES_MAX <= settings.BODY_BUFFER_BYTES_MAX,
		message: 'must not be smaller than BODY_BYTES_MAX',
	},
	{
		names: ['OPS_PORT', 'PORT'],
		isMet: ({ OPS_PORT, PORT }) => OPS_PORT === undefined || OPS_PORT === 0 || OPS_PORT !== PORT,
		message: 'must be another port than PORT',
	},
	{
		names: ['BREAKER_WINDOW_MS', 'RESPONSE_TIMEOUT_MS'],
		isMet: (settings) => settings.BREAKER_WINDOW_MS >= windowTimeouts * settings.RESPONSE_TIMEOUT_MS,
		message: ({ RESPONSE_TIMEOUT_MS: timeoutMs }) =>
			`must be at least three times RESPONSE_TIMEOUT_MS: ${windowTimeouts * timeoutMs}`,
	},
];

export const gatewaySettings = withRules(shape, rules);

export type GatewayConfig = z.output<typeof gatewaySettings> & {
	readonly host: string;
	/** The settings that the environment or a file has, as text, secrets included; the others have their default. */
	readonly given: ReadonlyMap<string, string>;
};

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): GatewayConfig {
	const settings = readSettings(gatewaySettings, env);
	const { env: resolved } = resolveSecretFiles(settingNames, env);
	const given = new Map<string, string>();
	for (const name of settingNames) {
		const text = resolved[name];
		if (text !== undefined && text !== '') given.set(name, text);
	}
	return { ...settings, host: hostOf(settings), given };
}

export const settingNames = Object.keys(
	gatewaySettings.shape,
) as readonly (keyof typeof gatewaySettings.shape)[];

function isOrigin(text: string): boolean {
	// The URL parser accepts `*` as a host name, but no browser sends it.
	return /^https?:/.test(text) && !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;
}
