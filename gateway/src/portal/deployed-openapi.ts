import { deployedPath, everyContext, isDeployedWhole } from './deployed-paths.ts';
import type { Deployment } from './deployment.ts';

/** openapi.yaml without the operations that this deployment doesn't have. */
export function deployedOpenapi(committed: string, deployment: Deployment): string {
	if (isDeployedWhole(deployment)) return committed;
	return partOfOpenapi(committed, 'Paddock', (path) => deployedPath(path, deployment));
}

/** openapi.yaml with the operations of one context. */
export function contextOpenapi(committed: string, name: string): string {
	return partOfOpenapi(committed, `Paddock ${name}`, (path) =>
		everyContext.contextOf(path)?.name === name ? path : undefined,
	);
}

interface Block {
	/** The key of a property, the name of a tag. */
	readonly key: string;
	readonly lines: readonly string[];
}

/**
 * The operations at the paths for which `pathOf` returns one, under that path, with the components, tags and codes that
 * they use. Works on lines in the layout of `npm run docs`: to parse the YAML and to write it takes half a second.
 */
function partOfOpenapi(
	openapi: string,
	title: string,
	pathOf: (path: `/${string}`) => string | undefined,
): string {
	const sections = blocks(openapi.split('\n'), 0);
	const section = (key: string) => sections.find((candidate) => candidate.key === key);
	const paths = inside(section('paths'), 1).flatMap(({ key, lines }) => {
		const path = pathOf(key as `/${string}`);
		return path === undefined ? [] : [` ${path}:`, ...lines.slice(1)];
	});
	const components = usedComponents(inside(section('components'), 1), paths);
	const words = new Set([...paths, ...components].flatMap((line) => line.match(/[A-Z][A-Z0-9_]+/g) ?? []));
	const tags = new Set(paths.flatMap((line) => /^ {3}tags: \["?([^"\]]+)"?\]$/.exec(line)?.[1] ?? []));
	const kept: Readonly<Record<string, readonly string[]>> = {
		info: (section('info')?.lines ?? [])
			.slice(1)
			.map((line) => (/^ title: /.test(line) ? ` title: ${title}` : line)),
		tags: linesOf(inside(section('tags'), 1).filter(({ key }) => tags.has(key))),
		paths,
		components,
		'x-error-codes': linesOf(inside(section('x-error-codes'), 1).filter(({ key }) => words.has(key))),
	};
	const lines = sections.flatMap(({ key, lines }) => {
		const own = kept[key];
		return own === undefined ? lines : [lines[0] ?? '', ...own];
	});
	return `${lines.join('\n').trimEnd()}\n`;
}

/** What the paths refer to, and what that refers to. Security schemes are named without a reference. */
function usedComponents(kinds: readonly Block[], paths: readonly string[]): readonly string[] {
	const named = new Map<string, readonly string[]>(
		kinds.flatMap((kind) =>
			inside(kind, 2).map((block) => [`${kind.key}/${block.key}`, block.lines] as const),
		),
	);
	const used = new Set<string>();
	const follow = (lines: readonly string[]): void => {
		for (const [, name = ''] of lines.join('\n').matchAll(/#\/components\/(\w+\/[\w.-]+)/g)) {
			if (used.has(name)) continue;
			used.add(name);
			follow(named.get(name) ?? []);
		}
	};
	follow(paths);
	return kinds.flatMap((kind) => {
		const left = inside(kind, 2).filter(({ key }) => used.has(`${kind.key}/${key}`));
		if (kind.key === 'securitySchemes') return kind.lines;
		return left.length === 0 ? [] : [kind.lines[0] ?? '', ...linesOf(left)];
	});
}

function inside(block: Block | undefined, indent: number): readonly Block[] {
	return blocks((block?.lines ?? []).slice(1), indent);
}

/** A block begins with a line of this indentation and continues with those that are indented further. */
function blocks(lines: readonly string[], indent: number): readonly Block[] {
	const found: { key: string; lines: string[] }[] = [];
	for (const line of lines) {
		if (line.search(/\S/) === indent) found.push({ key: keyOf(line), lines: [line] });
		else found.at(-1)?.lines.push(line);
	}
	return found;
}

function keyOf(line: string): string {
	return /^ *(?:- \{?name: )?"?([^":,]+)/.exec(line)?.[1] ?? '';
}

const linesOf = (of: readonly Block[]): readonly string[] => of.flatMap(({ lines }) => lines);
