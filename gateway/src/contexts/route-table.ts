import type { Context } from './context.ts';

export type RouteTable = ReturnType<typeof createRouteTable>;

/** Label of the requests that no route of the context declares. */
export function otherRoute({ prefix }: Pick<Context, 'prefix'>): string {
	return `${prefix}/*`;
}

/** Compiles the contexts. @throws TypeError if two claim one address, or one makes another's public */
export function createRouteTable(contexts: readonly Context[]) {
	const byPrefix = new Map<string, Context>();
	const exact = new Map<string, Context>();
	for (const context of contexts) {
		if (byPrefix.has(context.prefix)) throw new TypeError(`Two contexts claim ${context.prefix}.`);
		byPrefix.set(context.prefix, context);
		for (const path of context.alsoAt ?? []) exact.set(path, context);
	}
	const publicRoutes = new Set<string>(contexts.flatMap((context) => context.publicRoutes.flatMap(withHead)));
	const pathOf = createPathTree(contexts.flatMap(({ paths }) => paths));
	const attached = contexts.filter((context) => context.attached !== undefined);
	const lenientPathOf = createPathTree(
		attached.flatMap(({ paths }) => paths),
		lenient,
	);
	const contextOf = (path: string) => exact.get(path) ?? byPrefix.get(prefixOf(path, byPrefix));
	refuseForeignRoutes(contexts, contextOf);
	return {
		contextOf,
		/** The declared path, or `/api/horses/*` for an unknown address of a context. */
		routeOf: (context: Context, path: string): string => pathOf(path) ?? otherRoute(context),
		/** Whether the address is that of a declared path with a slash behind it: it does not exist, for any caller. */
		hasExtraSlash: (path: string): boolean =>
			path.endsWith('/') && pathOf(path) === undefined && pathOf(path.slice(0, -1)) !== undefined,
		/** Whether a lenient program could read a path of an attached context as that of another operation: case, suffixes, escapes. */
		isAmbiguous: (path: string, route: string): boolean => {
			const read = lenient(path);
			if (lenientPathOf(read) !== route) return true;
			return route.endsWith('}') && lenientPathOf(withoutSuffix(read)) !== route;
		},
		// By the declared path, because a literal one may need a token beside a public one with a parameter.
		/** Whether a method of a declared path may be called without a token. */
		isPublic: (method: string, route: string): boolean => publicRoutes.has(`${method} ${route}`),
	};
}

/** Looks up in the table that was put in last. */
export function replaceableRouteTable(): { readonly routes: RouteTable; replace(next: RouteTable): void } {
	let table = createRouteTable([]);
	return {
		routes: {
			/** The context of a path, if there is one. `path` is the raw path without the query. */
			contextOf: (path: string): Context | undefined => table.contextOf(path),
			routeOf: (context, path) => table.routeOf(context, path),
			hasExtraSlash: (path) => table.hasExtraSlash(path),
			isAmbiguous: (path, route) => table.isAmbiguous(path, route),
			isPublic: (method, route) => table.isPublic(method, route),
		},
		replace: (next) => {
			table = next;
		},
	};
}

/** @param route `METHOD /path` */
function withHead(route: string): string[] {
	return route.startsWith('GET ') ? [route, route.replace('GET', 'HEAD')] : [route];
}

// A mistake in the table would make an address public or unreachable without a visible error.
function refuseForeignRoutes(contexts: readonly Context[], contextOf: RouteTable['contextOf']): void {
	for (const context of contexts) {
		const paths = context.publicRoutes.map((route) => route.slice(route.indexOf(' ') + 1));
		for (const path of [context.prefix, ...(context.alsoAt ?? []), ...paths]) {
			if (contextOf(path) !== context) throw new TypeError(`${path} isn't an address of ${context.name}.`);
		}
	}
}

// Prefixes have one or two segments, so two cuts find the one that applies.
function prefixOf(path: string, byPrefix: ReadonlyMap<string, Context>): string {
	const first = path.indexOf('/', 1);
	if (first === -1) return path;
	const one = path.slice(0, first);
	if (byPrefix.has(one)) return one;
	const second = path.indexOf('/', first + 1);
	return second === -1 ? path : path.slice(0, second);
}

/** The hygiene step has refused paths that can't be decoded. */
function lenient(text: string): string {
	const decoded = text.includes('%') ? decodeURIComponent(text) : text;
	return decoded.toLowerCase().replace(/\/$/, '');
}

/** `/export.json` is `/export` to frameworks that read a format there; others drop dots and spaces at the end. */
function withoutSuffix(path: string): string {
	return path.replace(/(?<=[^/.\s])(?:\.[^/.]*|[.\s]+)$/, '');
}

interface PathNode {
	readonly literals: Map<string, PathNode>;
	parameter: PathNode | undefined;
	/** The path that ends here. */
	path: string | undefined;
}

/** Finds the declared path (`/api/horses/{id}`) of an address; a literal segment has precedence over a parameter. */
function createPathTree(
	paths: readonly string[],
	spelling: (segment: string) => string = (segment) => segment,
): (address: string) => string | undefined {
	const root = newNode();
	for (const path of paths) {
		let node = root;
		for (const segment of path.split('/')) node = childOf(node, spelling(segment));
		node.path = path;
	}
	return (address) => find(root, address.split('/'), 0);
}

function newNode(): PathNode {
	return { literals: new Map(), parameter: undefined, path: undefined };
}

function childOf(node: PathNode, segment: string): PathNode {
	if (segment.startsWith('{')) {
		node.parameter ??= newNode();
		return node.parameter;
	}
	const child = node.literals.get(segment) ?? newNode();
	node.literals.set(segment, child);
	return child;
}

function find(node: PathNode, segments: readonly string[], at: number): string | undefined {
	const segment = segments[at];
	if (segment === undefined) return node.path;
	const literal = node.literals.get(segment);
	const found = literal === undefined ? undefined : find(literal, segments, at + 1);
	if (found !== undefined || node.parameter === undefined || segment === '') return found;
	return find(node.parameter, segments, at + 1);
}
