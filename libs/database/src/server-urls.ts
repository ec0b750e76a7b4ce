import { UnusableDatabaseError } from './unusable-database-error.ts';

/** The server that is wanted, as in libpq. Services write, so the attributes that accept a standby are refused. */
export type TargetServer = 'any' | 'read-write' | 'primary';

export interface ServerUrls {
	/** One address for each host of the URL, in its order. */
	readonly urls: readonly [string, ...string[]];
	readonly target: TargetServer;
}

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^#]*)$/;
const targets: ReadonlySet<string> = new Set(['any', 'read-write', 'primary']);

/**
 * Splits the address of a database on several servers,
 * `postgres://role:password@a:5432,b:5433/database?target_session_attrs=read-write`. pg knows a single host only.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 * @throws UnusableDatabaseError
 */
export function serverUrls(url: string): ServerUrls {
	const [, start = '', hosts = '', end = ''] = parts.exec(url) ?? [];
	const [path = '', query = ''] = splitAt(end, '?');
	const options = new URLSearchParams(query);
	const target = options.get('target_session_attrs') ?? 'any';
	if (!isTarget(target)) {
		throw new UnusableDatabaseError(`target_session_attrs must be ${[...targets].join(', ')}`);
	}
	options.delete('target_session_attrs');
	const rest = options.size === 0 ? path : `${path}?${options}`;
	const names = hosts.split(',');
	const [first = '', ...others] = names.map((host) => `${start}${host}${rest}`);
	const isComplete = names.length === 1 || !names.includes('');
	if (!isComplete || ![first, ...others].every((one) => URL.canParse(one))) {
		throw new UnusableDatabaseError('must be an address such as postgres://role:password@host:5432/database');
	}
	return { urls: [first, ...others], target };
}

function isTarget(text: string): text is TargetServer {
	return targets.has(text);
}

function splitAt(text: string, separator: string): [string, string] {
	const index = text.indexOf(separator);
	return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

/** The same server and options, another database and, if given, another role. */
export function withDatabase(
	url: string,
	database: string,
	credentials?: { role: string; password: string },
): string {
	const result = new URL(url);
	result.pathname = `/${encodeURIComponent(database)}`;
	if (credentials) {
		result.username = encodeURIComponent(credentials.role);
		result.password = encodeURIComponent(credentials.password);
	}
	return result.href;
}

/** The `connect_timeout` of a URL, in milliseconds; undefined if absent. libpq defines it in whole seconds. */
export function connectTimeoutOf(url: string): number | undefined {
	const seconds = /[?&]connect_timeout=(\d+)(?:&|$)/.exec(url)?.[1];
	return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
