/** The parts of an OpenAPI document that the tests of the portal read. */
export interface OpenApi {
	tags: { name: string }[];
	paths: Record<string, object>;
	components: { schemas: Record<string, object> };
	'x-error-codes': Record<string, object>;
}

/** The codes of operations that the document does not define. */
export function undefinedCodes(document: OpenApi): string[] {
	const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
	return (operations as { 'x-error-codes'?: string[] }[])
		.flatMap((operation) => operation['x-error-codes'] ?? [])
		.filter((code) => document['x-error-codes'][code] === undefined);
}
