/**
 * One request of the Postman collection, where it differs from the default: the example of the operation as
 * body, the documented success as expected status, `{{<resource>Id}}` for ids in the path. Every text may hold
 * `{{variables}}`.
 */
export interface CollectionStep {
	readonly operationId: string;
	/** The operation's summary unless given. */
	readonly name?: string;
	readonly path?: Readonly<Record<string, string>>;
	/** Query parameters that are sent; all others are listed but disabled. */
	readonly query?: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	/** Instead of the example; fields of an object replace those of the example. */
	readonly body?: Readonly<Record<string, unknown>>;
	/** The variable that holds the token; the administrator's unless given. */
	readonly token?: string;
	/** The documented success unless given. */
	readonly status?: number;
	/** Variables that are stored from the response: name → path such as `data.id`. */
	readonly keep?: Readonly<Record<string, string>>;
	/** Lines of JavaScript that run before it. */
	readonly before?: readonly string[];
	/** Further lines of tests; `answer` is the parsed body. */
	readonly tests?: readonly string[];
}

/** The folder of one context in the Postman collection: `services/<name>/collection.ts`. */
export interface ContextCollection {
	readonly steps: readonly CollectionStep[];
	/** True if the steps are the sequence; otherwise each only describes what is special about its operation. */
	readonly inOrder?: true;
	/** Steps that run after the folders of all contexts, as later contexts need the records. */
	readonly leaving?: readonly CollectionStep[];
}
