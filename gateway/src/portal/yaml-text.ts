import { Document, Scalar, type ScalarTag, type Tags, visit } from 'yaml';

const lineWidth = 130;

/** An object as block YAML that readers of YAML 1.1 and 1.2 read alike. */
export function yamlText(content: object): string {
	const customTags = (tags: Tags): Tags => [withExponent, ...tags];
	const document = new Document(content, { aliasDuplicateObjects: false, customTags });
	visit(document, { Scalar: (_key, node) => quoteIfAmbiguous(node) });
	return document.toString({ lineWidth }).replaceAll(unprintable, escaped);
}

/** A value as JSON, which is YAML as well, and is written a hundred times faster. */
export function flowText(value: unknown): string {
	return JSON.stringify(value).replaceAll(unprintable, escaped);
}

/** A number that JavaScript writes with an exponent: YAML 1.1 requires a point before it, and its sign. */
const withExponent: ScalarTag = {
	identify: (value) => typeof value === 'number' && Number.isFinite(value) && /e/.test(String(value)),
	default: true,
	tag: 'tag:yaml.org,2002:float',
	test: /^-?\d+\.\d+e[-+]\d+$/,
	resolve: Number,
	stringify: ({ value }) =>
		Number(value)
			.toExponential()
			.replace(/^(-?\d+)e/, '$1.0e'),
};

const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
// All numbers, times, dates and special values of both versions; some prose as well, which may be quoted.
const special = /^[-+]?(?:[.~=<\d]|e[-+\d])[-+.~=<\w\s:]*$/i;
// Valid without quotes in YAML 1.2, refused by SnakeYAML, PyYAML or libyaml.
const refused = /^:|[?\t]/;
// Refused in YAML 1.1, or line breaks there.
const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

function quoteIfAmbiguous(node: Scalar): void {
	const { value } = node;
	if (typeof value !== 'string') return;
	const isAmbiguous = words.test(value) || special.test(value);
	if (isAmbiguous || refused.test(value) || value.search(unprintable) >= 0) node.type = Scalar.QUOTE_DOUBLE;
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
