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

const gatewaySettings = z
	.object({
		...processSettings,
		PORT: portSetting(8080),
		BUILD_COMMIT: z
			.string()
			.regex(/^[0-9a-f]{7,64}$/, 'must be a commit id in hexadecimal')
			.optional(),
		BUILD_TIME: z.iso.datetime('must be an instant such as 2026-02-28T12:00:00Z').optional(),
		OPS_PORT: portSetting(0).unwrap().optional(),
		OPS_PREFIX: pathPrefix.default('/actuator'),
		CONTEXTS: contextsSetting(contextNames),
		STATUS_PAGE: switchSetting(true),
		TRUSTED_PROXIES: addressListSetting([]),
		CORS_ORIGINS: originList,
		RATE_LIMIT_SIGN_IN: rate(20),
		RATE_LIMIT_ANONYMOUS: rate(100),
		RATE_LIMIT_USER: rate(300),
		RATE_LIMIT_OFFICER: rate(1_000),
		URL_BYTES_MAX: integerSetting(256, 65_536, 8_192),
		HEADER_BYTES_MAX: integerSetting(1_024, 65_536, 16_384),
		HEADERS_TIMEOUT_MS: integerSetting(100, 120_000, 10_000),
		REQUEST_TIMEOUT_MS: integerSetting(100, 600_000, 30_000),
		KEEP_ALIVE_TIMEOUT_MS: integerSetting(100, 600_000, 65_000),
		CONNECT_TIMEOUT_MS: integerSetting(10, 60_000, 1_000),
		RESPONSE_TIMEOUT_MS: integerSetting(50, 120_000, 5_000),
		DEADLINE_MS: integerSetting(50, 300_000, 8_000),
		IDLE_TIMEOUT_MS: integerSetting(50, 600_000, 30_000),
		UPSTREAM_SOCKETS_MAX: integerSetting(1, 10_000, 256),
		UPSTREAM_IDLE_MS: integerSetting(100, 600_000, 30_000),
		EVENT_LOOP_DELAY_MAX_MS: integerSetting(10, 60_000, 250),
		IN_FLIGHT_MAX: integerSetting(1, 1_000_000, 2_000),
		BREAKER_WINDOW_MS: integerSetting(1_000, 600_000, 30_000),
		BREAKER_VOLUME: integerSetting(1, 100_000, 10),
		BREAKER_FAILURE_PERCENT: integerSetting(1, 99, 50),
		BREAKER_OPEN_MS: integerSetting(50, 600_000, 10_000),
		RETRY_BUDGET_PERCENT: integerSetting(0, 100, 20),
		RETRY_BUDGET_MIN: integerSetting(0, 1_000, 3),
		HEALTH_TIMEOUT_MS: integerSetting(10, 10_000, 1_000),
		HEALTH_SHARED_MS: integerSetting(0, 60_000, 1_000),
		HEALTH_WATCH_MS: integerSetting(500, 600_000, 5_000),
		HEALTH_LISTENERS_MAX: integerSetting(0, 10_000, 100),
		HEALTH_DETAILS: z.enum(['always', 'authorized'], 'must be always or authorized').default('always'),
	})
	.refine((settings) => settings.HEADERS_TIMEOUT_MS <= settings.REQUEST_TIMEOUT_MS, {
		path: ['HEADERS_TIMEOUT_MS'],
		message: 'must not be longer than REQUEST_TIMEOUT_MS',
		when: haveAll('HEADERS_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS'),
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
