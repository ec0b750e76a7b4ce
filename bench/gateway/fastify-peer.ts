import { createPublicKey, randomUUID } from 'node:crypto';
import proxy from '@fastify/http-proxy';
import jwt from '@fastify/jwt';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Counter, Histogram, Registry } from 'prom-client';

/**
 * The peer: a proxy of Fastify's own packages for the same task. It verifies tokens (cached), sets the same headers,
 * records metrics and writes an access log. It has no discovery, breakers, bulkheads, deadlines or rate limits, which is
 * an advantage over the gateway.
 */
const {
	PORT: port,
	JWKS: jwks = '{"keys":[]}',
	UPSTREAM: upstream = '',
	PUBLIC: publicPrefix = '',
} = process.env;

const [jwk] = JSON.parse(jwks).keys;
const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
	.export({ type: 'spki', format: 'pem' })
	.toString();

const registry = new Registry();
const labelNames = ['route', 'method', 'status'];
const requests = new Counter({ name: 'requests_total', help: 'requests', labelNames, registers: [registry] });
const duration = new Histogram({
	name: 'request_duration_seconds',
	help: 'duration',
	labelNames,
	buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
	registers: [registry],
});

const securityHeaders = {
	'content-security-policy':
		"default-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';img-src 'self' data:;object-src 'none'",
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'origin-agent-cluster': '?1',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-dns-prefetch-control': 'off',
	'x-download-options': 'noopen',
	'x-frame-options': 'DENY',
	'x-permitted-cross-domain-policies': 'none',
	'x-xss-protection': '0',
};

const app = fastify({
	logger: true,
	disableRequestLogging: true,
	genReqId: () => randomUUID(),
	bodyLimit: 2 ** 30,
	http: { optimizeEmptyRequests: true },
});
await app.register(jwt, {
	secret: { public: publicKey },
	verify: { algorithms: ['RS256'], allowedIss: 'paddock', allowedAud: 'paddock', cache: 20_000 },
});
app.addHook('onRequest', async (request, reply) => {
	reply.headers(securityHeaders);
	reply.header('x-request-id', request.id);
	if (publicPrefix === '' || !request.url.startsWith(publicPrefix)) await request.jwtVerify();
});
app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
	const labels = { route: '/api/horses', method: request.method, status: reply.statusCode };
	requests.inc(labels);
	duration.observe(labels, reply.elapsedTime / 1_000);
	request.log.info(
		{ method: request.method, path: request.url, status: reply.statusCode, ms: reply.elapsedTime },
		'request',
	);
});
await app.register(proxy, {
	upstream,
	prefix: '/api',
	rewritePrefix: '/api',
	undici: { connections: 256, pipelining: 1, keepAliveTimeout: 30_000 },
	replyOptions: {
		rewriteRequestHeaders: (request, headers) => ({
			...headers,
			'x-request-id': request.id,
			'x-forwarded-for': request.ip,
			'x-forwarded-host': request.host,
			'x-forwarded-proto': 'http',
		}),
	},
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
