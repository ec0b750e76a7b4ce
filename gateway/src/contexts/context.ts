export interface Context {
	readonly name: string;
	/** What it stores, in a few words for the landing page. */
	readonly summary: string;
	/** Requests at and below it belong to the context; matched at segment boundaries. */
	readonly prefix: `/${string}`;
	/** Single addresses outside the prefix that also belong to the context. */
	readonly alsoAt?: readonly `/${string}`[] | undefined;
	readonly service: string;
	/** Without a usable instance of a critical context the whole system counts as DOWN. */
	readonly critical: boolean;
	/** True if the context checks the live session itself at each change; the gateway then does not. */
	readonly checksSessions?: true | undefined;
	/** Milliseconds to the response headers where the general setting doesn't fit. */
	readonly responseTimeoutMs?: number | undefined;
	/** The routes that need no token, `METHOD /path`; all others do. GET includes HEAD. */
	readonly publicRoutes: readonly `${Uppercase<string>} /${string}`[];
	/** The paths of all routes, as OpenAPI writes them; labels for metrics, log and traces. */
	readonly paths: readonly `/${string}`[];
	/** Public paths whose GET responses the gateway may store; they depend on path and query alone. */
	readonly cachedPaths: readonly `/${string}`[];
	/** The query parameters that cached paths read, by path, if they ignore all others; the gateway removes those. */
	readonly cachedParameters: Readonly<Record<string, readonly string[]>>;
	readonly attached?: Attachment | undefined;
}

/** What a service of another project needs from the gateway, since it does not know this one's conventions. */
interface Attachment {
	/** Path at the service that responds with 200 while it works. */
	readonly healthPath: `/${string}`;
	/** Whether requests carry `X-User-Id` and `X-User-Roles` in place of the token. */
	readonly identityHeaders: boolean;
	readonly wrapsResponses: boolean;
	readonly bodyBytesMax: number | undefined;
	/**
	 * The declared operations, by `METHOD /path`, with the roles that may call them; undefined: every signed-in user, or public. No
	 * operations at all before the first contract is known.
	 */
	readonly operations: ReadonlyMap<string, readonly string[] | undefined> | undefined;
	/** Checks a request against the contract; absent if requests are not validated. */
	readonly checkRequest?: RequestCheck | undefined;
}

export interface DescribedRequest {
	/** `METHOD /path` of the operation. */
	readonly operation: string;
	/** Path and query. */
	readonly url: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: Buffer | undefined;
}

/** @throws ApiError VALIDATION_ERROR with all fields, MALFORMED_JSON, UNSUPPORTED_MEDIA_TYPE */
export type RequestCheck = (request: DescribedRequest) => void;
