import { Document, isCollection, isPair, stringify, visit, type YAMLMap, type YAMLSeq } from 'yaml';

const lineWidth = 160;
const options = { flowCollectionPadding: false } as const;

/** An object as YAML; objects and lists that fit use flow style on one line: `{$ref: "#/components/schemas/Member"}`. */
export function yamlText(content: object): string {
	const document = new Document(content, { aliasDuplicateObjects: false });
	visit(document, {
		Collection: (_key, node, ancestors) => {
			if (!fits(node, ancestors)) return;
			node.flow = true;
			return visit.SKIP;
		},
	});
	return document.toString({ ...options, lineWidth, indent: 1 });
}

/** Whether a collection in flow style fits on its line, after its indentation and its key. */
function fits(node: YAMLMap | YAMLSeq, ancestors: readonly object[]): boolean {
	// Quotes make JSON longer, but never twice as long.
	if (JSON.stringify(node).length > 2 * lineWidth) return false;
	const { length } = stringify(node, { ...options, collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
	const parent = ancestors.at(-1);
	const key = isPair(parent) ? stringify(parent.key).trimEnd().length + 2 : 2;
	const depth = ancestors.filter(isCollection).length;
	// The library counts one more character per entry, and breaks the line if that is too long.
	return length + Math.max(depth + key, node.items.length + 1) <= lineWidth;
}
