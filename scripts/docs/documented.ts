import type { ExampleSchema } from './example-of.ts';

export interface DocumentedParameter {
	readonly name: string;
	readonly in: 'path' | 'query' | 'header';
	readonly schema: ExampleSchema;
}

export interface DocumentedBody {
	readonly content?: Readonly<Record<string, { readonly schema: ExampleSchema }>>;
}

export interface DocumentedOperation {
	readonly operationId: string;
	readonly summary: string;
	readonly tags: readonly string[];
	/** Absent if the default of the document applies. */
	readonly security?: readonly object[];
	readonly parameters?: readonly (DocumentedParameter | Reference)[];
	readonly requestBody?: DocumentedBody;
	readonly responses: Readonly<Record<string, DocumentedBody | Reference>>;
}

interface Reference {
	readonly $ref: string;
}

/** The parts of the OpenAPI document that the generators read. */
export interface Documented {
	readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
	/** The error codes of all operations. */
	readonly 'x-error-codes': Readonly<Record<string, object>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, ExampleSchema>>;
		readonly [kind: string]: Readonly<Record<string, unknown>>;
	};
}

/** The part itself, or the referenced component. @throws TypeError if a reference cannot be resolved */
export function resolved<Part extends object>(
	{ components }: { readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> },
	part: Part | Reference,
): Part {
	if (!('$ref' in part)) return part;
	const [, , kind = '', name = ''] = part.$ref.split('/');
	const found = components[kind]?.[name];
	if (found === undefined) throw new TypeError(`${part.$ref} leads nowhere.`);
	return found as Part;
}
