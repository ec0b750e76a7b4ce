import { failedPartHeader } from '@paddock/upstream';

interface Rule {
	readonly names: readonly string[];
	/** `remove`: on arrival. `replace`: read by the gateway, then replaced or left out when the request is forwarded. */
	readonly request?: 'remove' | 'replace';
	readonly response?: 'remove';
}

/** Every header that isn't forwarded as it came. What no rule names is end-to-end. */
const rules: readonly Rule[] = [
	{
		// Hop-by-hop: RFC 9110 §7.6.1 and fields that proxies have invented. They describe one connection.
		names: [
			'connection',
			'proxy-connection',
			'keep-alive',
			'te',
			'trailer',
			'upgrade',
			'http2-settings',
			'proxy-authenticate',
			'proxy-authentication-info',
			'proxy-authorization',
			'expect',
		],
		request: 'remove',
		response: 'remove',
	},
	// The body's framing on one connection. A request's is needed until its body has been read.
	{ names: ['transfer-encoding'], request: 'replace', response: 'remove' },
	{
		// Reserved for the gateway, or honoured by some frameworks as an override of path, method or client.
		names: [
			'x-original-url',
			'x-rewrite-url',
			'x-original-host',
			'x-http-method',
			'x-http-method-override',
			'x-method-override',
			'x-request-deadline-ms',
			'x-real-ip',
			'x-client-ip',
			'x-cluster-client-ip',
			'true-client-ip',
			'x-forwarded',
			'x-remote-user',
			'x-client-cert',
			// As HTTP_PROXY in the environment of CGI programs: https://httpoxy.org
			'proxy',
		],
		request: 'remove',
	},
	{
		// The gateway's own values.
		names: [
			'host',
			'forwarded',
			'x-forwarded-for',
			'x-forwarded-host',
			'x-forwarded-proto',
			'x-request-id',
			'x-correlation-id',
			'traceparent',
		],
		request: 'replace',
	},
	{
		// The gateway alone decides on other origins.
		names: [
			'access-control-allow-origin',
			'access-control-allow-credentials',
			'access-control-expose-headers',
		],
		response: 'remove',
	},
	{
		// They change what clients do at the whole origin, not at one service.
		names: [
			'access-control-allow-headers',
			'access-control-allow-methods',
			'access-control-allow-private-network',
			'access-control-max-age',
			'alt-svc',
			'clear-site-data',
			'nel',
			'public-key-pins',
			'report-to',
			'reporting-endpoints',
			'service-worker-allowed',
			'strict-transport-security',
		],
		response: 'remove',
	},
	// Internal details of a service.
	{ names: ['server', 'x-powered-by', failedPartHeader], response: 'remove' },
];

// Reserved as well. Some servers read `_` and other signs as `-`; X-Forwarded-* beyond the three above (-User, -Email, -Uri …) name
// the caller's identity or address as well.
export const reservedPrefix =
	/^(?!x-forwarded-(?:for|host|proto)$)x[^a-z\d](?:user|auth|internal|forwarded[^a-z\d])/;

export const removed = namesWhere(({ request }) => request === 'remove');
export const replaced = namesWhere(({ request }) => request === 'replace');
export const removedFromResponse = namesWhere(({ response }) => response === 'remove');

function namesWhere(applies: (rule: Rule) => boolean): ReadonlySet<string> {
	return new Set(rules.filter(applies).flatMap(({ names }) => names));
}

/** Whether the gateway removes or replaces a request header, so that callers can't set it. @param name in lower case */
export const isGatewayHeader = (name: string): boolean =>
	removed.has(name) || replaced.has(name) || reservedPrefix.test(name);
