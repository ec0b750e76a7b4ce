import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import helmet from 'helmet';
import { exchangeOf } from '../exchange.ts';
import type { Step } from '../pipeline.ts';

type Header = readonly [name: string, value: string];

/** helmet's headers. The policy lets nothing load but from this gateway; JSON needs nothing at all. */
export const securityHeaders: readonly Header[] = recorded(
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
		// Speaks for the whole host; that is for whoever terminates TLS to say.
		strictTransportSecurity: false,
		crossOriginEmbedderPolicy: false,
	}),
);

/** Puts helmet's headers on the answer. */
export function secured(): Step {
	return function secured(req): undefined {
		const { ownHeaders } = exchangeOf(req);
		for (const [name, value] of securityHeaders) ownHeaders.add(name, value);
	};
}

/** They are the same for every request, so helmet is asked once. */
function recorded(middleware: ReturnType<typeof helmet>): readonly Header[] {
	const headers: Header[] = [];
	const res: Pick<ServerResponse, 'setHeader' | 'removeHeader'> = {
		setHeader: (name, value) => {
			headers.push([name, String(value)]);
			return res as ServerResponse;
		},
		removeHeader: () => undefined,
	};
	middleware({} as IncomingMessage, res as ServerResponse, (error?: unknown) => {
		if (error !== undefined) throw error;
	});
	return headers;
}

/** Answers preflights and marks answers for exactly the origins that are listed; none = no CORS at all. */
export function crossOrigin(origins: readonly string[]): Step {
	const listed = cors({
		origin: [...origins],
		methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
		exposedHeaders: [
			'ETag',
			'Location',
			'Retry-After',
			'RateLimit-Limit',
			'RateLimit-Remaining',
			'RateLimit-Reset',
			'X-Request-Id',
		],
		maxAge: 600,
	});
	return function crossOrigin(req, res): 'taken' | undefined {
		if (origins.length === 0) return undefined;
		res.setHeader('Vary', 'Origin');
		const { origin } = req.headers;
		if (origin === undefined || !origins.includes(origin)) return undefined;
		// The package takes every OPTIONS for a preflight; only one that asks for a method is.
		const asksForMethod = req.headers['access-control-request-method'] !== undefined;
		if (req.method === 'OPTIONS' && !asksForMethod) return undefined;
		if (req.method === 'OPTIONS') exchangeOf(req).ownHeaders.setOn(res);
		let goesOn = false;
		listed(req, res, () => {
			goesOn = true;
		});
		return goesOn ? undefined : 'taken';
	};
}
