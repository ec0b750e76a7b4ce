/** The parts of an OpenAPI 3.0 document that the gateway reads; the others are passed on. */
export interface OpenapiDocument {
	readonly info: { readonly title: string; readonly version: string; readonly description?: string };
	readonly tags?: readonly { readonly name: string; readonly description?: string }[];
	/** The default of its operations. */
	readonly security?: readonly object[];
	readonly paths: Readonly<Record<string, object>>;
	readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
	readonly 'x-error-codes': Readonly<Record<string, object>>;
	readonly [extension: string]: unknown;
}

/** Puts documents with one set of component names together, in this order; the rest is that of the last one. */
export function mergedOpenapi(documents: readonly OpenapiDocument[], last: OpenapiDocument): OpenapiDocument {
	const all = [...documents, last];
	const kinds = new Set(all.flatMap(({ components }) => Object.keys(components)));
	return {
		...last,
		tags: [...new Map(all.flatMap(({ tags = [] }) => tags.map((tag) => [tag.name, tag]))).values()],
		paths: Object.assign({}, ...all.map(({ paths }) => paths)),
		components: Object.fromEntries(
			[...kinds].map((kind) => [kind, Object.assign({}, ...all.map(({ components }) => components[kind]))]),
		),
		'x-error-codes': Object.assign({}, ...all.map((document) => document['x-error-codes'])),
	};
}

/** The operations at the paths for which `pathOf` returns one, with the components, tags and codes that they use. */
export function partOfOpenapi(
	document: OpenapiDocument,
	title: string,
	pathOf: (path: string) => string | undefined,
): OpenapiDocument {
	const paths = Object.fromEntries(
		Object.entries(document.paths).flatMap(([path, item]) => {
			const there = pathOf(path);
			return there === undefined ? [] : [[there, item]];
		}),
	);
	const components = usedComponents(document, paths);
	const words = new Set(JSON.stringify([paths, components]).match(/[A-Z][A-Z0-9_]+/g));
	const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(tagsOf)));
	return {
		...document,
		info: { ...document.info, title },
		tags: (document.tags ?? []).filter(({ name }) => tags.has(name)),
		paths,
		components,
		'x-error-codes': Object.fromEntries(
			Object.entries(document['x-error-codes']).filter(([code]) => words.has(code)),
		),
	};
}

const tagsOf = ({ tags = [] }: { readonly tags?: readonly string[] }) => tags;

/** What the paths refer to, and what that refers to. Security schemes are named without a reference. */
function usedComponents({ components }: OpenapiDocument, paths: object): OpenapiDocument['components'] {
	const used = new Set<string>();
	const follow = (part: object | undefined): void => {
		for (const [, name = ''] of JSON.stringify(part ?? {}).matchAll(/#\/components\/(\w+\/[\w.-]+)/g)) {
			if (used.has(name)) continue;
			used.add(name);
			const [kind = '', own = ''] = name.split('/');
			follow(components[kind]?.[own]);
		}
	};
	follow(paths);
	const kept = Object.entries(components).map(([kind, named]) => {
		const isUsed = ([name]: [string, object]) => kind === 'securitySchemes' || used.has(`${kind}/${name}`);
		return [kind, Object.fromEntries(Object.entries(named).filter(isUsed))] as const;
	});
	return Object.fromEntries(kept.filter(([, named]) => Object.keys(named).length > 0));
}
