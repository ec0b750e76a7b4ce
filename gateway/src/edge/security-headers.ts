import cors from 'cors';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** helmet's headers. The policy lets nothing load but from this gateway; JSON needs nothing at all. */
export function securityHeaders(): RequestHandler {
	return helmet({
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
	});
}

/** Answers preflights and marks answers for exactly the origins that are listed; none = no CORS at all. */
export function crossOrigin(origins: readonly string[]): RequestHandler {
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
	return function crossOrigin(req: Request, res: Response, next: NextFunction): void {
		const origin = req.headers.origin;
		if (origins.length > 0) res.vary('Origin');
		if (origin === undefined || !origins.includes(origin)) {
			next();
			return;
		}
		// The package takes every OPTIONS for a preflight; only one that asks for a method is.
		if (req.method === 'OPTIONS' && req.headers['access-control-request-method'] === undefined) {
			next();
			return;
		}
		listed(req, res, next);
	};
}
