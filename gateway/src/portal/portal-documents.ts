import { accessSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contextsFileText } from '../contexts/contexts-file.ts';
import type { Contracts } from '../contexts/contracts.ts';
import { mergedOpenapi, type OpenapiDocument, partOfOpenapi } from '../contexts/openapi-document.ts';
import { consolePage, consolePolicy } from './console-page.ts';
import { openConsole } from './console-sources.ts';
import { demoSignIn, deployedCollection, deployedEnvironment } from './deployed-collection.ts';
import { deployedPath } from './deployed-paths.ts';
import { contextOpenapiPath, type Deployment, hasSignIn } from './deployment.ts';
import { explorerPage } from './explorer-page.ts';
import { landingPage } from './landing-page.ts';
import { openapiText } from './openapi-text.ts';
import { operationsLinks, operationsPage } from './operations-page.ts';
import { runbookPage } from './runbook-page.ts';
import { createStaticDocument, lazyDocument, type StaticDocument } from './static-document.ts';
import { statusPage } from './status-page.ts';

/** What `npm run docs` has generated, as it is committed: for every context that there is. */
export type PortalFiles = Awaited<ReturnType<typeof readPortalFiles>>;

/** The pages and documents for client developers, as they apply to this deployment. */
export type PortalDocuments = ReturnType<typeof createPortalDocuments>;

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';
const schemaJson = 'application/schema+json; charset=utf-8';
const yaml = 'application/yaml; charset=utf-8'; // RFC 9512

/** @throws when one is missing: a gateway without its contract is misbuilt. */
export async function readPortalFiles() {
	const [collection, environment, runbook] = await Promise.all([
		readFile(new URL('../../../postman/collection.json', import.meta.url), 'utf8'),
		readFile(new URL('../../../postman/environment.json', import.meta.url), 'utf8'),
		readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8'),
	]);
	return { collection, environment, runbook };
}

export function createPortalDocuments(deployment: Deployment, contracts: Contracts, files: PortalFiles) {
	const { modules, loaded } = openConsole();
	const openapi = () => deployedOpenapi(deployment, contracts);
	return {
		index: portalIndexOf(deployment),
		landing: (origin: string) => createStaticDocument(landingPage(deployment, origin), html),
		explorer: createStaticDocument(explorerPage(deployment, demoSignIn(files.environment)), html),
		status: createStaticDocument(statusPage(deployment), html),
		/** All pages of accounts: the script in it shows the one of the address. */
		console: lazyDocument(async () =>
			createStaticDocument(consolePage(deployment, await loaded()), html, consolePolicy),
		),
		contextsFile: lazyDocument(() => createStaticDocument(contextsFileText(), schemaJson)),
		operations: {
			links: operationsLinks(deployment),
			page: createStaticDocument(operationsPage(deployment), html),
		},
		/** docs/operations.md */
		runbook: lazyDocument(() => createStaticDocument(runbookPage(deployment, files.runbook), html)),
		// Lazy: few clients need them, and to make them takes a tenth of the start.
		openapi: lazyDocument(async () => createStaticDocument(await openapiText(openapi()), yaml)),
		contextOpenapi: new Map(
			deployment.contexts.map(({ name }) => [
				name,
				lazyDocument(async () => createStaticDocument(await openapiText(documentOf(contracts, name)), yaml)),
			]),
		),
		collection: lazyDocument(() =>
			createStaticDocument(deployedCollection(files.collection, deployment, contracts.documents), json),
		),
		environment: (origin: string) =>
			createStaticDocument(deployedEnvironment(files.environment, deployment, origin), json),
		assets: new Map([
			...openAssets(),
			...(deployment.console ? modules : []),
			// For the explorer: a browser parses JSON twenty times faster than YAML.
			['openapi.json', lazyDocument(() => createStaticDocument(JSON.stringify(openapi()), json))],
		]),
	};
}

/** The contracts of the contexts, and the own pages that this deployment has. */
function deployedOpenapi(deployment: Deployment, contracts: Contracts): OpenapiDocument {
	const ownPages = partOfOpenapi(contracts.ownPages, contracts.ownPages.info.title, (path) =>
		deployedPath(path, deployment),
	);
	const documents = deployment.contexts.map(({ name }) => documentOf(contracts, name));
	return mergedOpenapi(documents, ownPages);
}

function documentOf({ documents }: Contracts, name: string): OpenapiDocument {
	const document = documents.get(name);
	if (document === undefined) throw new TypeError(`${name} has no contract.`);
	return document;
}

function portalIndexOf(deployment: Deployment) {
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
			...(deployment.console ? { accounts: '/app' } : {}),
			openapi: '/openapi.yaml',
			collection: '/postman/collection.json',
			environment: '/postman/environment.json',
			...(deployment.statusPage ? { status: '/status' } : {}),
			...(hasSignIn(deployment) ? { keys: '/.well-known/jwks.json' } : {}),
			...(opsHere ? { health: `${opsPrefix}/health`, metrics: `${opsPrefix}/prometheus` } : {}),
		},
	};
}

const types: Readonly<Record<string, string>> = {
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

const ours = fileURLToPath(new URL('./public/', import.meta.url));
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const ofSwagger = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** The files that the portal's pages load, by name. A request's path never becomes the path of a file. */
function openAssets(): Map<string, StaticDocument> {
	const paths = [
		...readdirSync(ours).map((name) => [name, join(ours, name)] as const),
		...ofSwagger.map((name) => [name, join(swagger, name)] as const),
	];
	return new Map(paths.map(([name, path]) => [name, open(path)]));
}

/** Read at the first request for it. @throws Error if the file is missing or its type is unknown. */
function open(path: string): StaticDocument {
	const type = types[extname(path)];
	if (type === undefined) throw new TypeError(`${path} has no known media type.`);
	accessSync(path);
	return lazyDocument(() => {
		// The source maps are not served; browsers' developer tools would report each as missing.
		const content = readFileSync(path, 'utf8').replace(/\n\/[/*]# sourceMappingURL=\S+(?: \*\/)?\s*$/, '\n');
		return createStaticDocument(content, type);
	});
}
