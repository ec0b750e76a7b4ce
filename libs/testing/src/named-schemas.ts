import type { Route } from '@paddock/service';

export interface NamedSchema {
	readonly schema: Route<never>['output'];
	/** The schema's name in the documentation. */
	readonly name: string;
	/** The example in the documentation; undefined = none. */
	readonly example: unknown;
}

/** The request bodies and enveloped outputs of routes. @throws TypeError if a schema has no name */
export function namedSchemas(routes: readonly Route<never>[]): NamedSchema[] {
	return routes
		.filter(({ document: mediaType }) => mediaType === undefined)
		.flatMap(({ operationId, body, output }) =>
			(body === undefined ? [output] : [body, output]).map((schema) => {
				// An optional body has its name inside.
				const { unwrap } = schema as { unwrap?: () => typeof schema };
				const named = unwrap?.() ?? schema;
				const { id: name, example } = named.meta() ?? {};
				if (name === undefined) throw new TypeError(`${operationId} has a schema without a name`);
				return { schema, name, example };
			}),
		);
}
