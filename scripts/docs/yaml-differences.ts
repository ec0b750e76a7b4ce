import { isScalar, parseAllDocuments, Scalar, visit } from 'yaml';

/** What readers of YAML 1.1 and 1.2 take differently: `on is true in YAML 1.1`. @throws Error if one refuses the text */
export function yamlDifferences(text: string): readonly string[] {
	const [older, newer] = (['1.1', '1.2'] as const).map((version) =>
		// Compose and Prometheus merge `<<` as YAML 1.1 does.
		parseAllDocuments(text, { version, merge: true }).flatMap(scalars),
	) as [Scalar[], Scalar[]];
	return newer.flatMap((scalar, index) => {
		const before = older[index]?.value;
		if (scalar.type !== Scalar.PLAIN || scalar.source === '<<') return [];
		if (isSame(before, scalar.value) && !readersDiffer.test(scalar.source ?? '')) return [];
		return [`${scalar.source} is ${String(before)} in YAML 1.1`];
	});
}

// `=` is a special value of YAML 1.1; without a point, a number with an exponent is text for PyYAML.
const readersDiffer = /^(?:=|[-+]?[\d_]+e[-+]?\d+)$/i;

// NaN equals itself, a Date nothing.
const isSame = (one: unknown, other: unknown) => Object.is(one, other);

function scalars(document: ReturnType<typeof parseAllDocuments>[number]): readonly Scalar[] {
	const [error] = document.errors;
	if (error !== undefined) throw error;
	const found: Scalar[] = [];
	visit(document, (_key, node) => {
		if (isScalar(node)) found.push(node);
	});
	return found;
}
