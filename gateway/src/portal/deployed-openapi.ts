import { parse, stringify } from 'yaml';
import { contextNames } from '../contexts.ts';
import { deployedPath, isDeployedWhole } from './deployed-paths.ts';
import type { Deployment } from './deployment.ts';

interface OpenApiFile {
	tags?: { name: string }[];
	paths?: Record<string, Record<string, { tags?: string[] }>>;
	components?: Record<string, Record<string, unknown>>;
}

/**
 * openapi.yaml as it is true of this deployment: without the paths that it doesn't have, and without the schemas and
 * tags that only those used. Takes a quarter of a second where something is left out; made once, at the start.
 */
export function deployedOpenapi(committed: string, deployment: Deployment): string {
	if (isDeployedWhole(deployment, contextNames)) return committed;
	const file = parse(committed, { prettyErrors: false }) as OpenApiFile;
	const paths = Object.entries(file.paths ?? {}).flatMap(([path, item]) => {
		const here = deployedPath(path, deployment);
		return here === undefined ? [] : [[here, item] as const];
	});
	const tags = new Set(
		paths.flatMap(([, item]) => Object.values(item).flatMap((operation) => operation.tags ?? [])),
	);
	const left = {
		...file,
		tags: file.tags?.filter(({ name }) => tags.has(name)),
		components: usedComponents(file.components ?? {}, JSON.stringify(paths)),
		paths: Object.fromEntries(paths),
	};
	return `# The API of this deployment.\n${stringify(left, { lineWidth: 110, aliasDuplicateObjects: false })}`;
}

/** What the paths refer to, and what that refers to. Security schemes are named without a reference. */
function usedComponents(
	components: Record<string, Record<string, unknown>>,
	paths: string,
): Record<string, Record<string, unknown>> {
	const used = new Set<string>();
	const follow = (json: string): void => {
		for (const [, kind = '', name = ''] of json.matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
			if (used.has(`${kind}/${name}`)) continue;
			used.add(`${kind}/${name}`);
			follow(JSON.stringify(components[kind]?.[name] ?? {}));
		}
	};
	follow(paths);
	return Object.fromEntries(
		Object.entries(components).map(([kind, all]) => [
			kind,
			kind === 'securitySchemes'
				? all
				: Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
		]),
	);
}
