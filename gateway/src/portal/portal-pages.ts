import { isIPv6 } from 'node:net';
import { apiError, successEnvelope } from '@paddock/contract';
import express, { type Request, type Response, type Router } from 'express';
import { exchangeOf } from '../exchange.ts';
import { deployedCollection, deployedEnvironment } from './deployed-collection.ts';
import { contextOpenapi, deployedOpenapi } from './deployed-openapi.ts';
import { type Deployment, hasSignIn } from './deployment.ts';
import { explorerPage } from './explorer-page.ts';
import { landingPage } from './landing-page.ts';
import { portalAssets } from './portal-assets.ts';
import type { PortalFiles } from './portal-files.ts';
import { contextOpenapiPath, navigation } from './portal-links.ts';
import { createStaticDocument, type StaticDocument } from './static-document.ts';
import { statusPage } from './status-page.ts';

export interface PortalDeps {
	readonly deployment: Deployment;
	readonly files: PortalFiles;
	readonly now: () => Date;
}

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';
const yaml = 'application/yaml; charset=utf-8'; // RFC 9512

/** The pages and documents for client developers, as they apply to this deployment. */
export function portalPages({ deployment, files, now }: PortalDeps): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	const page = (path: string, document: (req: Request) => StaticDocument, route = path): void =>
		addPage(router, path, document, route);
	const index = indexOf(deployment);
	const openapi = createStaticDocument(deployedOpenapi(files.openapi, deployment), yaml);
	const collection = createStaticDocument(deployedCollection(files.collection, deployment), json);
	const explorer = createStaticDocument(explorerPage(deployment), html);
	router.get('/', (req: Request, res: Response, next) => {
		exchangeOf(req).route = '/';
		res.vary('Accept');
		// JSON for `*/*`, which is what programs send that say nothing.
		const wanted = req.accepts(['json', 'html']);
		if (wanted === false) throw apiError('NOT_ACCEPTABLE');
		if (wanted === 'html') next();
		else res.json(successEnvelope(index, 'Paddock, the gateway of the registration system', now()));
	});
	page('/', (req) => createStaticDocument(landingPage(deployment, originOf(req)), html));
	page('/docs', () => explorer);
	page('/openapi.yaml', () => openapi);
	for (const { name } of deployment.contexts) {
		const ofContext = createStaticDocument(contextOpenapi(files.openapi, name), yaml);
		page(contextOpenapiPath(name), () => ofContext, contextOpenapiPath('{context}'));
	}
	page('/postman/collection.json', () => collection);
	page('/postman/environment.json', (req) =>
		createStaticDocument(deployedEnvironment(files.environment, deployment, originOf(req)), json),
	);
	if (deployment.statusPage) {
		const status = createStaticDocument(statusPage(deployment, navigation(deployment)), html);
		page('/status', () => status);
	}
	router.use(portalAssets());
	return router;
}

/** The status page where the operators' pages have a port of their own: it goes with them. */
export function operatorsStatusPage(deployment: Deployment): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	const status = createStaticDocument(statusPage(deployment, [{ label: 'Status', path: '/status' }]), html);
	addPage(router, '/status', () => status);
	router.use(portalAssets());
	return router;
}

function addPage(
	router: Router,
	path: string,
	document: (req: Request) => StaticDocument,
	route = path,
): void {
	router.get(path, async (req: Request, res: Response) => {
		exchangeOf(req).route = route;
		await document(req).send(req, res);
	});
	router.all(path, () => {
		throw apiError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD' } });
	});
}

/** The address by which the client has come; a trusted proxy may have said another than the one that it asked. */
function originOf(req: Request): string {
	// A client that speaks HTTP/1.0 need not say how it calls us; Express's types don't know.
	const host: string | undefined = req.host;
	return `${req.protocol}://${host ?? addressOf(req.socket)}`;
}

function addressOf({ localAddress = 'localhost', localPort }: Request['socket']): string {
	return `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
}

function indexOf(deployment: Deployment) {
	const { contexts, opsPrefix, opsHere, version } = deployment;
	return {
		name: 'Paddock',
		version,
		contexts: contexts.map(({ name, prefix }) => ({
			name,
			url: prefix,
			openapi: contextOpenapiPath(name),
		})),
		links: {
			explorer: '/docs',
			openapi: '/openapi.yaml',
			collection: '/postman/collection.json',
			environment: '/postman/environment.json',
			...(deployment.statusPage ? { status: '/status' } : {}),
			...(hasSignIn(deployment) ? { keys: '/.well-known/jwks.json' } : {}),
			...(opsHere ? { health: `${opsPrefix}/health`, metrics: `${opsPrefix}/prometheus` } : {}),
		},
	};
}
