import { Document, isCollection, isPair, Scalar, stringify, visit, type YAMLMap, type YAMLSeq } from 'yaml';

const lineWidth = 160;
const options = { flowCollectionPadding: false } as const;

/**
 * An object as YAML that readers of YAML 1.1 (SnakeYAML, PyYAML) and 1.2 read alike; objects and lists that fit use flow
 * style on one line: `{$ref: "#/components/schemas/Member"}`.
 * @throws TypeError if a number needs an exponent: some readers take `1e+21` for text
 */
export function yamlText(content: object): string {
	const document = new Document(content, { aliasDuplicateObjects: false });
	visit(document, { Scalar: (_key, node) => quoteIfAmbiguous(node) });
	visit(document, {
		Collection: (_key, node, ancestors) => {
			if (!fits(node, ancestors)) return;
			node.flow = true;
			return visit.SKIP;
		},
	});
	return document.toString({ ...options, lineWidth, indent: 1 }).replaceAll(unprintable, escaped);
}

const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
// All numbers, times, dates and special values of both versions; some prose as well, which may be quoted.
const special = /^[-+]?(?:[.~=<\d]|e[-+\d])[-+.~=<\w\s:]*$/i;
// Valid without quotes in YAML 1.2, refused by SnakeYAML, PyYAML or libyaml.
const refused = /^:|[?\t]/;
// Refused in YAML 1.1, or line breaks there.
const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

function quoteIfAmbiguous(node: Scalar): void {
	const { value } = node;
	if (typeof value === 'number' && /[^-.\d]/.test(String(value)))
		throw new TypeError(`${value} is not read as a number by every reader of YAML.`);
	if (typeof value !== 'string') return;
	const isAmbiguous = words.test(value) || special.test(value);
	if (isAmbiguous || refused.test(value) || value.search(unprintable) >= 0) node.type = Scalar.QUOTE_DOUBLE;
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

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
