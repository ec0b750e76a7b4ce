interface Node {
	readonly literals: Map<string, Node>;
	parameter: Node | undefined;
	/** The path that ends here. */
	path: string | undefined;
}

/** Finds the declared path (`/api/horses/{id}`) of an address; a literal segment has precedence over a parameter. */
export function createPathTree(paths: readonly string[]): (address: string) => string | undefined {
	const root = newNode();
	for (const path of paths) {
		let node = root;
		for (const segment of path.split('/')) node = childOf(node, segment);
		node.path = path;
	}
	return (address) => find(root, address.split('/'), 0);
}

function newNode(): Node {
	return { literals: new Map(), parameter: undefined, path: undefined };
}

function childOf(node: Node, segment: string): Node {
	if (segment.startsWith('{')) {
		node.parameter ??= newNode();
		return node.parameter;
	}
	const child = node.literals.get(segment) ?? newNode();
	node.literals.set(segment, child);
	return child;
}

function find(node: Node, segments: readonly string[], at: number): string | undefined {
	const segment = segments[at];
	if (segment === undefined) return node.path;
	const literal = node.literals.get(segment);
	const found = literal === undefined ? undefined : find(literal, segments, at + 1);
	if (found !== undefined || node.parameter === undefined || segment === '') return found;
	return find(node.parameter, segments, at + 1);
}
