export interface Schema {
	readonly $ref?: string;
	readonly type?: string;
	readonly format?: string;
	readonly nullable?: boolean;
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
	readonly example?: unknown;
	readonly minimum?: number;
	readonly minLength?: number;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly additionalProperties?: Schema | boolean;
	readonly allOf?: readonly Schema[];
	readonly anyOf?: readonly Schema[];
	readonly [keyword: string]: unknown;
}

export interface Parameter {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly description?: string;
	readonly schema: Schema;
}

export interface Body {
	readonly required?: boolean;
	readonly headers?: Readonly<Record<string, object>>;
	readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Reference {
	readonly $ref: string;
}

export interface Operation {
	readonly operationId: string;
	readonly summary: string;
	readonly description?: string;
	readonly tags: readonly string[];
	readonly deprecated?: boolean;
	readonly 'x-deprecated-since'?: string;
	readonly 'x-sunset'?: string;
	readonly 'x-roles'?: readonly string[];
	/** Absent if the default of the document applies. */
	readonly security?: readonly object[];
	readonly parameters?: readonly (Parameter | Reference)[];
	readonly requestBody?: Body;
	readonly responses: Readonly<Record<string, Body | Reference>>;
}

/** The parts of an OpenAPI document that the generators and the comparison with the last release read. */
export interface OpenapiDocument {
	readonly info: { readonly version: string };
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, Schema>>;
		readonly [kind: string]: Readonly<Record<string, unknown>>;
	};
	readonly 'x-error-codes': Readonly<Record<string, { readonly status: number }>>;
}

/** The part itself, or the referenced component. @throws TypeError if a reference cannot be resolved */
export function resolved<Part extends object>({ components }: OpenapiDocument, part: Part | Reference): Part {
	if (!('$ref' in part) || part.$ref === undefined) return part as Part;
	const [, , kind = '', name = ''] = String(part.$ref).split('/');
	const found = components[kind]?.[name];
	if (found === undefined) throw new TypeError(`${part.$ref} leads nowhere.`);
	return found as Part;
}
