import type { Route } from '@paddock/service';

export interface NamedSchema {
	readonly schema: Route<never>['output'];
	/** As the documentation calls it. */
	readonly name: string;
	/** As the documentation shows it; undefined where it shows none. */
	readonly example: unknown;
}

/** What routes take and answer in an envelope. @throws TypeError where one of them has no name */
export function namedSchemas(routes: readonly Route<never>[]): NamedSchema[] {
	return routes
		.filter(({ document: mediaType }) => mediaType === undefined)
		.flatMap(({ operationId, body, output }) =>
			(body === undefined ? [output] : [body, output]).map((schema) => {
				const { id: name, example } = schema.meta() ?? {};
				if (name === undefined) throw new TypeError(`${operationId} has a schema without a name`);
				return { schema, name, example };
			}),
		);
}
