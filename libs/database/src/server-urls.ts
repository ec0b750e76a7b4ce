import { Client, type ClientBase, type ClientConfig, type QueryConfig } from 'pg';

/** The database can't be used by this version of a service with its present settings; the message says what to change. */
export class UnusableDatabaseError extends Error {
	override name = 'UnusableDatabaseError';
}

/** The server that is wanted, as in libpq. Services write, so the attributes that accept a standby are refused. */
type TargetServer = 'any' | 'read-write' | 'primary';

interface ServerUrls {
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

export interface ServerChooser {
	readonly count: number;
	/** The address for the next connection. */
	current(): string;
	/** The next connection goes to the next server, unless another caller has moved on from this one already. */
	failed(url: string): void;
	/** The address of each client. */
	readonly addresses: WeakMap<ClientBase, string>;
}

/** Stays at a server until a connection to it fails: after a failover each connection would try the lost one first. */
export function createServerChooser({ urls }: ServerUrls): ServerChooser {
	let index = 0;
	const current = (): string => urls[index] ?? urls[0];
	return {
		count: urls.length,
		current,
		addresses: new WeakMap(),
		failed: (url) => {
			if (url === current()) index = (index + 1) % urls.length;
		},
	};
}

/** A client class for pg's pool that connects to the chosen server, each with this time-out. */
export function clientOf(chooser: ServerChooser, timeoutMs: number): new () => Client {
	return class ChosenClient extends Client {
		constructor(config?: ClientConfig) {
			const url = chooser.current();
			super({
				...config,
				connectionString: url,
				connectionTimeoutMillis: timeoutMs,
			});
			chooser.addresses.set(this, url);
		}
	};
}

/** SQLSTATE read_only_sql_transaction: the server is a standby, or was made read-only. */
export const readOnlyCode = '25006';

function refuseIf(condition: string): string {
	return `do $$ begin if ${condition} then raise sqlstate '${readOnlyCode}' using message = 'the server is read-only'; end if; end $$`;
}

/** A statement that fails with `readOnlyCode` on a server that accepts no writes. */
export const refuseReadOnly = refuseIf(`current_setting('transaction_read_only')::boolean`);

/**
 * The query that accepts or refuses a new connection; undefined if any server is accepted. Without its time limit a
 * server that hangs after the connection would occupy a pool slot indefinitely.
 */
export function serverCheck(target: TargetServer, timeoutMs: number): QueryConfig | undefined {
	if (target === 'any') return undefined;
	const text = target === 'primary' ? refuseIf('pg_is_in_recovery()') : refuseReadOnly;
	const query: QueryConfig & { query_timeout: number } = { text, query_timeout: timeoutMs };
	return query;
}
