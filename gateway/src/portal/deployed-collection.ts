import { methods } from '../contexts/contracts.ts';
import type { OpenapiDocument } from '../contexts/openapi-document.ts';
import { deployedPath } from './deployed-paths.ts';
import type { Deployment } from './deployment.ts';

interface CollectionUrl {
	raw: string;
	path: string[];
}

interface CollectionItem {
	name: string;
	item?: CollectionItem[];
	request?: { url: CollectionUrl };
	response?: { originalRequest: { url: string } }[];
}

interface CollectionFile {
	item: CollectionItem[];
}

interface EnvironmentFile {
	values: { key: string; value: string }[];
}

const demoFolder = 'Try by hand';

/** The Postman collection of this deployment: without absent contexts, with a folder for each attached one. */
export function deployedCollection(
	committed: string,
	deployment: Deployment,
	documents: ReadonlyMap<string, OpenapiDocument>,
): string {
	const file = JSON.parse(committed) as CollectionFile;
	const attached = deployment.contexts
		.filter((context) => context.attached !== undefined)
		.map(({ name }) => ({ name, item: attachedItems(documents.get(name)) }));
	return JSON.stringify(
		{ ...file, item: [...deployedItems(file.item, deployment), ...attached] },
		undefined,
		'\t',
	);
}

interface Operation {
	readonly summary?: string;
	readonly requestBody?: object;
	readonly security?: readonly object[];
}

/** One request for each operation, with its path parameters to fill in. */
function attachedItems(document: OpenapiDocument | undefined): object[] {
	return Object.entries(document?.paths ?? {}).flatMap(([path, item]) =>
		methods.flatMap((method) => {
			const operation = (item as Partial<Record<string, Operation>>)[method];
			if (operation === undefined) return [];
			const segments = path
				.slice(1)
				.split('/')
				.map((segment) => segment.replace(/^\{(.*)\}$/, ':$1'));
			const variable = segments
				.filter((segment) => segment.startsWith(':'))
				.map((key) => ({ key: key.slice(1), value: '' }));
			const url = {
				raw: `{{baseUrl}}/${segments.join('/')}`,
				host: ['{{baseUrl}}'],
				path: segments,
				variable,
			};
			const json = [{ key: 'Content-Type', value: 'application/json' }];
			const body = { header: json, body: { mode: 'raw', raw: '{}' } };
			const request = {
				method: method.toUpperCase(),
				url,
				...(operation.requestBody === undefined ? {} : body),
				...(operation.security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
			};
			return [{ name: operation.summary ?? `${request.method} ${path}`, request }];
		}),
	);
}

function deployedItems(items: readonly CollectionItem[], deployment: Deployment): CollectionItem[] {
	return items.flatMap((item): CollectionItem[] => {
		if (item.item !== undefined) {
			// Production has no demo data.
			if (item.name === demoFolder && deployment.production) return [];
			// The folder of a context may begin with what it needs from others; without it that has no purpose.
			if (deployment.absentContexts.includes(item.name)) return [];
			const inside = deployedItems(item.item, deployment);
			return inside.length === 0 ? [] : [{ ...item, item: inside }];
		}
		if (item.request === undefined) return [];
		const { url } = item.request;
		const documented = `/${url.path.join('/')}`;
		const path = deployedPath(documented, deployment);
		if (path === undefined) return [];
		const there = { ...url, raw: url.raw.replace(documented, path), path: path.slice(1).split('/') };
		const response = (item.response ?? []).map((example) => ({
			...example,
			originalRequest: { ...example.originalRequest, url: there.raw },
		}));
		return [{ ...item, request: { ...item.request, url: there }, response }];
	});
}

/** The Postman environment for clients that reach the gateway at `origin`. */
export function deployedEnvironment(committed: string, deployment: Deployment, origin: string): string {
	const file = JSON.parse(committed) as EnvironmentFile;
	const values = file.values.map((variable) => {
		if (variable.key === 'baseUrl') return { ...variable, value: origin };
		const isDemo = variable.key === 'adminEmail' || variable.key === 'adminPassword';
		return deployment.production && isDemo ? { ...variable, value: '' } : variable;
	});
	return JSON.stringify({ ...file, values }, undefined, '\t');
}

/** The sign-in of the demo administrator, which the committed environment has. */
export function demoSignIn(committed: string): { readonly email: string; readonly password: string } {
	const { values } = JSON.parse(committed) as EnvironmentFile;
	const variableOf = (key: string) => values.find((variable) => variable.key === key)?.value ?? '';
	return { email: variableOf('adminEmail'), password: variableOf('adminPassword') };
}
