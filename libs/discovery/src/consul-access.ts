import { readFileSync } from 'node:fs';
import { type WatchSettings, watchDefaults } from './service-watch.ts';

/** How Consul is reached, the same at all of its addresses. */
export interface ConsulAccess {
	/** Whether addresses without a scheme have https. */
	secure?: boolean;
	token?: string;
	namespace?: string;
	tls?: ConsulTls;
}

interface ConsulTls {
	/** The authorities that may have issued Consul's certificate; by default the public ones. */
	ca?: string;
	cert?: string;
	key?: string;
	/** The name in Consul's certificate; by default the host of the address. */
	servername?: string;
}

/** Consul's own variables. https://developer.hashicorp.com/consul/commands#environment-variables */
export interface ConsulVariables {
	readonly CONSUL_HTTP_TOKEN?: string | undefined;
	readonly CONSUL_HTTP_TOKEN_FILE?: string | undefined;
	readonly CONSUL_HTTP_SSL?: string | undefined;
	readonly CONSUL_CACERT?: string | undefined;
	readonly CONSUL_CLIENT_CERT?: string | undefined;
	readonly CONSUL_CLIENT_KEY?: string | undefined;
	readonly CONSUL_TLS_SERVER_NAME?: string | undefined;
	readonly CONSUL_NAMESPACE?: string | undefined;
}

/** Values of CONSUL_HTTP_SSL, as Go's strconv.ParseBool reads them. */
export const trueWords = ['1', 't', 'T', 'true', 'TRUE', 'True'];
export const falseWords = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

/** Reads the files that the variables name; the token's file has precedence. Throws an Error for an unreadable file. */
export function readConsulAccess(variables: ConsulVariables): ConsulAccess {
	const token = contentOf(variables.CONSUL_HTTP_TOKEN_FILE)?.trim() || variables.CONSUL_HTTP_TOKEN;
	const tls = {
		...optional('ca', contentOf(variables.CONSUL_CACERT)),
		...optional('cert', contentOf(variables.CONSUL_CLIENT_CERT)),
		...optional('key', contentOf(variables.CONSUL_CLIENT_KEY)),
		...optional('servername', variables.CONSUL_TLS_SERVER_NAME),
	};
	return {
		secure: trueWords.includes(variables.CONSUL_HTTP_SSL ?? ''),
		...optional('token', token),
		...optional('namespace', variables.CONSUL_NAMESPACE),
		tls,
	};
}

function contentOf(path: string | undefined): string | undefined {
	return path === undefined || path === '' ? undefined : readFileSync(path, 'utf8');
}

function optional<Name extends string>(
	name: Name,
	value: string | undefined,
): { readonly [Key in Name]?: string } {
	return value === undefined || value === '' ? {} : ({ [name]: value } as { [Key in Name]: string });
}

/** Timing of all calls to Consul, in milliseconds. */
export interface ConsulSettings extends WatchSettings {
	/** Wait of a blocking query before Consul responds without a change. */
	waitMs: number;
	/** Interval at which a registered process checks that the agent still lists it. */
	checkRegistrationMs: number;
	/** Period in a critical state after which Consul removes an instance. Consul's minimum is one minute. */
	deregisterCriticalAfterMs: number;
	/** Interval of the leader query, which also detects a frozen Consul during blocking queries. */
	probeMs: number;
	/** Time-out of the leader query. */
	probeTimeoutMs: number;
	/** Time-out of every other non-blocking call. */
	callTimeoutMs: number;
}

export const consulDefaults: ConsulSettings = {
	waitMs: 25_000,
	pauseMs: 1_000,
	...watchDefaults,
	checkRegistrationMs: 10_000,
	deregisterCriticalAfterMs: 60_000,
	probeMs: 2_000,
	probeTimeoutMs: 2_000,
	callTimeoutMs: 5_000,
};
