import type { components, ErrorCode } from './contract.generated.ts';

export type FieldError = components['schemas']['FieldError'];
type FailureData = components['schemas']['FailureData'];

/** The gateway refused the request or failed. `message` is for people, `code` for programs. */
export class PaddockError extends Error {
	override readonly name = 'PaddockError';
	/** INVALID_RESPONSE: the response is not the gateway's, for example a proxy's error page. */
	readonly code: ErrorCode | 'INVALID_RESPONSE';
	/** HTTP status. */
	readonly status: number;
	/** For reports; undefined with INVALID_RESPONSE. */
	readonly requestId: string | undefined;
	/** All invalid fields of the request; empty for other failures. */
	readonly errors: readonly FieldError[];
	/** Everything the failure says, such as `checks` of ENTRY_NOT_ALLOWED or `currentVersion` of PRECONDITION_FAILED. */
	readonly data: Readonly<Record<string, unknown>>;
	/** From `Retry-After`, in milliseconds. */
	readonly retryAfterMs: number | undefined;

	constructor(message: string, failure: Partial<FailureData> & { status: number }, retryAfterMs?: number) {
		super(message);
		this.code = (failure.code ?? 'INVALID_RESPONSE') as ErrorCode;
		this.status = failure.status;
		this.requestId = failure.requestId;
		this.errors = failure.errors ?? [];
		this.data = failure;
		this.retryAfterMs = retryAfterMs;
	}
}

/** There is no complete response: no connection, a connection that broke, or a timeout. `cause` is the error of `fetch`. */
export class NetworkError extends Error {
	override readonly name = 'NetworkError';
	/** True if the request certainly did not reach the gateway. False if that is unknown. */
	readonly unsent: boolean;

	constructor(message: string, options: { cause?: unknown; unsent?: boolean } = {}) {
		super(message, options);
		this.unsent = options.unsent ?? isConnectFailure(options.cause);
	}
}

/**
 * The session could not be refreshed, and the client is signed out; `cause` is the error of the refresh. Or another account
 * signed in during the call; `cause` is undefined.
 */
export class SessionEndedError extends Error {
	override readonly name = 'SessionEndedError';

	constructor(cause: unknown) {
		super('The session has ended. Sign in again.', { cause });
	}
}

// Node.js: the connection was never made. Browsers do not say why a request failed.
const connectFailures = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function isConnectFailure(error: unknown): boolean {
	const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
	return typeof cause?.code === 'string' && connectFailures.has(cause.code);
}
