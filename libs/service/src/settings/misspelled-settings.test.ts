import { expect, test } from '@jest/globals';
import { misspelledSettings } from './misspelled-settings.ts';

const known = [
	...[
		'PORT',
		'HOST',
		'OPS_PORT',
		'DATA_DIR',
		'LOG_LEVEL',
		'ADMIN_EMAIL',
		'BUILD_TIME',
		'DATABASE_URL',
		'NODE_ENV',
	],
	...['RATE_LIMIT_USER', 'RATE_LIMIT_OFFICER', 'TRUSTED_PROXIES', 'BREAKER_WINDOW_MS', 'CONSUL_HTTP_ADDR'],
];
const meant = (name: string) => misspelledSettings(known, { [name]: 'x' }).map(({ rule }) => rule);

test.each([
	['RATE_LIMITS_USER', 'RATE_LIMIT_USER'],
	['USER_RATE_LIMIT', 'RATE_LIMIT_USER'],
	['RATE_LIMIT_USRE', 'RATE_LIMIT_USER'],
	['rate_limit_user', 'RATE_LIMIT_USER'],
	['RATE_LIMIT_OFFICERS', 'RATE_LIMIT_OFFICER'],
	['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
	['BREAKER_WINDOW', 'BREAKER_WINDOW_MS'],
	['CONSUL_HTTP_ADDRESS', 'CONSUL_HTTP_ADDR'],
	['ADMIN_MAIL', 'ADMIN_EMAIL'],
	['LOGLEVEL', 'LOG_LEVEL'],
	['DATADIR', 'DATA_DIR'],
])('%s resembles %s', (name, setting) => {
	expect(meant(name)).toEqual([`is not a setting; did you mean ${setting}?`]);
});

test.each([
	...[
		'PATH',
		'HOME',
		'HOSTNAME',
		'HOSTTYPE',
		'PGPORT',
		'PGHOST',
		'NODE_OPTIONS',
		'NODE_PATH',
		'POSTGRES_USER',
	],
	...['BUILD_TIMESTAMP', 'BUILD_NUMBER', 'DATABASE_URL_UNPOOLED', 'CONSUL_HTTP_SSL', 'AUTH_SERVICE_PORT'],
	...['LOGNAME', 'SESSION_MANAGER', 'npm_config_port', 'XDG_DATA_DIRS', 'REDIS_PORT', 'PORT1', ...known],
])('%s is not reported', (name) => {
	expect(meant(name)).toEqual([]);
});
