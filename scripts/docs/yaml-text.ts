import { Document, isMap, isSeq, visit } from 'yaml';

const lineWidth = 140;
const flowCharsMax = 134;

/** An object as YAML; small objects and lists use flow style on one line: `{$ref: "#/components/schemas/Member"}`. */
export function yamlText(content: object): string {
	const document = new Document(content, { aliasDuplicateObjects: false });
	visit(document, {
		Collection: (_key, node, { length: depth }) => {
			const chars = JSON.stringify(node).replaceAll(/"([\w$./-]+)"/g, '$1').length;
			if ((isMap(node) || isSeq(node)) && chars + depth / 2 <= flowCharsMax) node.flow = true;
		},
	});
	return document.toString({ lineWidth, indent: 1, indentSeq: false, flowCollectionPadding: false });
}
