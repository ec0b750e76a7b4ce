import { readFile } from 'node:fs/promises';
import { fail, succeeded } from '@paddock/contract';
import express, { type Request, type Response, type Router } from 'express';
import type { Context } from '../contexts.ts';
import { exchangeOf } from '../exchange.ts';

export interface PortalDeps {
	readonly contexts: readonly Context[];
	readonly opsPrefix: string;
	readonly version: string;
	/** The OpenAPI document as it is served. */
	readonly openapi: string;
	readonly now: () => Date;
}

/** The committed OpenAPI document. @throws when it is missing: a gateway without its contract is misbuilt. */
export async function readOpenapi(): Promise<string> {
	return readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8');
}

/** What client developers open first. */
export function portalPages(deps: PortalDeps): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	const index = indexOf(deps);
	router.get('/', (req: Request, res: Response) => {
		exchangeOf(req).route = '/';
		res.json(succeeded(index, 'Paddock, the gateway of the registration system', deps.now()));
	});
	router.get('/openapi.yaml', (req: Request, res: Response) => {
		exchangeOf(req).route = '/openapi.yaml';
		res.setHeader('Cache-Control', 'public, max-age=300');
		// RFC 9512
		res.type('application/yaml').send(deps.openapi);
	});
	router.all(['/', '/openapi.yaml'], (_req: Request, _res: Response) => {
		throw fail('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD' } });
	});
	return router;
}

function indexOf(deps: PortalDeps) {
	return {
		name: 'Paddock',
		version: deps.version,
		contexts: deps.contexts.map(({ name, prefix }) => ({ name, url: prefix })),
		links: {
			openapi: '/openapi.yaml',
			health: `${deps.opsPrefix}/health`,
			metrics: `${deps.opsPrefix}/prometheus`,
			keys: '/.well-known/jwks.json',
		},
	};
}
