import { createPublicKey, type JsonWebKey } from 'node:crypto';

/** The setting of one peer. */
export interface PeerSettings {
	readonly port: number;
	readonly upstreamPort: number;
	/** The key set that verifies the tokens, as JSON. */
	readonly jwks: string;
	/** A file that contains it, and one with its first key as PEM. */
	readonly jwksFile: string;
	readonly keyFile: string;
}

const connectTimeout = '1s';
const responseTimeout = '5s';
const issuer = 'paddock';
const type = (name: string) => ({ '@type': `type.googleapis.com/${name}` });
const socketAddress = (port: number) => ({ socket_address: { address: '127.0.0.1', port_value: port } });

/** Verified tokens are cached; one retry within a budget, outlier detection, connection limits, one log line per request. */
export function envoyConfig({ port, upstreamPort, jwks }: PeerSettings): string {
	const filters = 'envoy.extensions.filters';
	const manager = {
		...type(`${filters}.network.http_connection_manager.v3.HttpConnectionManager`),
		stat_prefix: 'bench',
		access_log: [
			{
				name: 'log',
				typed_config: type('envoy.extensions.access_loggers.stream.v3.StdoutAccessLog'),
			},
		],
		http_filters: [
			{
				name: 'jwt',
				typed_config: {
					...type(`${filters}.http.jwt_authn.v3.JwtAuthentication`),
					providers: {
						paddock: {
							issuer,
							audiences: [issuer],
							local_jwks: { inline_string: jwks },
							jwt_cache_config: { jwt_cache_size: 10_000 },
						},
					},
					rules: [{ match: { prefix: '/api/horses' }, requires: { provider_name: 'paddock' } }],
				},
			},
			{ name: 'router', typed_config: type(`${filters}.http.router.v3.Router`) },
		],
		route_config: {
			virtual_hosts: [
				{
					name: 'all',
					domains: ['*'],
					routes: [
						{
							match: { prefix: '/api/' },
							route: {
								cluster: 'upstream',
								timeout: responseTimeout,
								retry_policy: { retry_on: 'connect-failure,refused-stream', num_retries: 1 },
							},
						},
					],
				},
			],
		},
	};
	const cluster = {
		name: 'upstream',
		connect_timeout: connectTimeout,
		type: 'STATIC',
		outlier_detection: {},
		circuit_breakers: {
			thresholds: [{ retry_budget: { budget_percent: { value: 20 }, min_retry_concurrency: 3 } }],
		},
		load_assignment: {
			cluster_name: 'upstream',
			endpoints: [{ lb_endpoints: [{ endpoint: { address: socketAddress(upstreamPort) } }] }],
		},
	};
	const listener = {
		address: socketAddress(port),
		filter_chains: [{ filters: [{ name: 'http', typed_config: manager }] }],
	};
	return JSON.stringify({ static_resources: { listeners: [listener], clusters: [cluster] } });
}

/** Verifies each token; circuit breaker, one log line per request. */
export function krakendConfig({ port, upstreamPort, jwksFile }: PeerSettings): string {
	const endpoint = (method: string, path: string) => ({
		endpoint: path,
		method,
		output_encoding: 'no-op',
		input_headers: ['*'],
		extra_config: {
			'auth/validator': {
				alg: 'RS256',
				issuer,
				audience: [issuer],
				jwk_local_path: jwksFile,
				disable_jwk_security: true,
				cache: true,
			},
		},
		backend: [
			{
				host: [`http://127.0.0.1:${upstreamPort}`],
				url_pattern: path,
				encoding: 'no-op',
				extra_config: { 'qos/circuit-breaker': { interval: 30, timeout: 10, max_errors: 10 } },
			},
		],
	});
	return JSON.stringify({
		version: 3,
		port,
		listen_ip: '127.0.0.1',
		timeout: responseTimeout,
		max_idle_connections_per_host: 256,
		endpoints: [endpoint('GET', '/api/horses/small'), endpoint('POST', '/api/horses')],
	});
}

/** No verification of tokens, which only the paid edition has; circuit breaker, retry, metrics, one log line per request. */
export function traefikConfig({ upstreamPort }: PeerSettings): string {
	return JSON.stringify({
		http: {
			routers: {
				api: { rule: 'PathPrefix(`/api`)', service: 'upstream', middlewares: ['breaker', 'retry'] },
			},
			middlewares: {
				breaker: { circuitBreaker: { expression: 'NetworkErrorRatio() > 0.5' } },
				retry: { retry: { attempts: 2 } },
			},
			services: {
				upstream: { loadBalancer: { servers: [{ url: `http://127.0.0.1:${upstreamPort}` }] } },
			},
		},
	});
}

export function traefikArguments({ port }: PeerSettings, file: string): string[] {
	return [
		`--entrypoints.web.address=127.0.0.1:${port}`,
		`--providers.file.filename=${file}`,
		'--metrics.prometheus=true',
		'--accesslog=true',
		'--serverstransport.maxidleconnsperhost=256',
		'--global.checknewversion=false',
		'--global.sendanonymoususage=false',
	];
}

/** No verification of tokens, which needs a plug-in; passive health checks, metrics, one log line per request. */
export function caddyConfig({ port, upstreamPort }: PeerSettings): string {
	return JSON.stringify({
		admin: { disabled: true },
		apps: {
			http: {
				metrics: {},
				servers: {
					bench: {
						listen: [`127.0.0.1:${port}`],
						automatic_https: { disable: true },
						logs: {},
						routes: [
							{
								handle: [
									{
										handler: 'reverse_proxy',
										upstreams: [{ dial: `127.0.0.1:${upstreamPort}` }],
										health_checks: { passive: { fail_duration: '10s', max_fails: 10 } },
										transport: {
											protocol: 'http',
											dial_timeout: connectTimeout,
											response_header_timeout: responseTimeout,
											keep_alive: { max_idle_conns_per_host: 256 },
										},
									},
								],
							},
						],
					},
				},
			},
		},
	});
}

/** Verifies each token; circuit breaker, metrics. */
export function springArguments({ port, upstreamPort, keyFile }: PeerSettings): string[] {
	const gateway = 'spring.cloud.gateway.server.webflux';
	return [
		'--server.address=127.0.0.1',
		`--server.port=${port}`,
		`--${gateway}.httpclient.connect-timeout=1000`,
		`--${gateway}.httpclient.response-timeout=${responseTimeout}`,
		`--${gateway}.routes[0].id=horses`,
		`--${gateway}.routes[0].uri=http://127.0.0.1:${upstreamPort}`,
		`--${gateway}.routes[0].predicates[0]=Path=/api/**`,
		`--${gateway}.routes[0].filters[0]=CircuitBreaker=horses`,
		`--bench.key=file:${keyFile}`,
		`--bench.issuer=${issuer}`,
		'--management.endpoints.web.exposure.include=prometheus,health',
	];
}

/** The first key of a key set as PEM. */
export function pemOf(jwks: string): string {
	const { keys } = JSON.parse(jwks) as { keys: JsonWebKey[] };
	const [key] = keys;
	if (key === undefined) throw new Error('The key set is empty.');
	return createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
}
