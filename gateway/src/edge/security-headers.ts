import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import helmet from 'helmet';
import type { FixedHeaders } from '../exchange/headers.ts';
import type { Step } from '../exchange/pipeline.ts';

/** helmet's headers. The policy allows resources of this gateway only; JSON needs none. */
export const securityHeaders = recorded(
	helmet({
		contentSecurityPolicy: {
			useDefaults: false,
			directives: {
				defaultSrc: ["'self'"],
				baseUri: ["'none'"],
				formAction: ["'self'"],
				frameAncestors: ["'none'"],
				imgSrc: ["'self'", 'data:'],
				objectSrc: ["'none'"],
			},
		},
		frameguard: { action: 'deny' },
		// Only on responses to clients that use TLS: `createExchange` adds it.
		strictTransportSecurity: false,
		crossOriginEmbedderPolicy: false,
	}),
);

/** The headers are the same for every request, so helmet runs once. */
function recorded(middleware: ReturnType<typeof helmet>): FixedHeaders {
	const list: string[] = [];
	const names = new Set<string>();
	const res: Pick<ServerResponse, 'setHeader' | 'removeHeader'> = {
		setHeader: (name, value) => {
			list.push(name, String(value));
			names.add(name.toLowerCase());
			return res as ServerResponse;
		},
		removeHeader: () => undefined,
	};
	middleware({} as IncomingMessage, res as ServerResponse, (error?: unknown) => {
		if (error !== undefined) throw error;
	});
	return { list, names };
}

/** Responds to preflights and adds CORS headers for exactly the listed origins. */
export function crossOrigin(origins: readonly string[]): Step {
	const listed = cors({
		origin: [...origins],
		methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
		exposedHeaders: [
			'Content-Disposition',
			'Deprecation',
			'ETag',
			'Location',
			'Retry-After',
			'RateLimit-Limit',
			'RateLimit-Remaining',
			'RateLimit-Reset',
			'Sunset',
			'X-Request-Id',
		],
		maxAge: 600,
	});
	return function crossOrigin(exchange, req, res): 'handled' | undefined {
		res.setHeader('Vary', 'Origin');
		const { origin } = req.headers;
		if (origin === undefined || !origins.includes(origin)) return undefined;
		// The package treats every OPTIONS as a preflight; only one with Access-Control-Request-Method is.
		const asksForMethod = req.headers['access-control-request-method'] !== undefined;
		if (req.method === 'OPTIONS' && !asksForMethod) return undefined;
		if (req.method === 'OPTIONS') exchange.gatewayHeaders.setOn(res);
		let goesOn = false;
		listed(req, res, () => {
			goesOn = true;
		});
		return goesOn ? undefined : 'handled';
	};
}
