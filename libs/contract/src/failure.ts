/** The envelope of every JSON response, failures included: exactly these keys. `timestamp` is ISO 8601 in UTC with milliseconds. */
export interface BaseDto<T> {
	success: boolean;
	data: T;
	message: string;
	timestamp: string;
}

export function successEnvelope<T>(data: T, message: string, now: Date): BaseDto<T> {
	return { success: true, data, message, timestamp: now.toISOString() };
}

/** Creates the envelope of a failure; `data` is for programs, `message` for users. */
export function errorEnvelope(data: FailureData, message: string, now: Date): BaseDto<FailureData> {
	return { success: false, data, message, timestamp: now.toISOString() };
}

export const fieldErrorCodes = [
	'REQUIRED',
	'INVALID_FORMAT',
	'INVALID_LENGTH',
	'INVALID_RANGE',
	'UNKNOWN_FIELD',
	'INVALID_REFERENCE',
] as const;

export type FieldErrorCode = (typeof fieldErrorCodes)[number];

/** `field` is a path such as `address.city` or `starts[0].competitionId`; empty for the body as a whole. */
export interface FieldError {
	field: string;
	code: FieldErrorCode;
	message: string;
}

/** The `data` of a failed response. A code may add further keys with its own context, e.g. `allowed`. */
export interface FailureData {
	code: string;
	status: number;
	requestId: string;
	errors?: readonly FieldError[];
	[context: string]: unknown;
}

/** One row of an error table: the HTTP status of a code and its default message for users. */
export interface ErrorDefinition {
	readonly status: number;
	readonly message: string;
}

type ErrorsByStatus = Readonly<Record<number, Readonly<Record<string, string>>>>;
type CodeOf<Errors> = { [Status in keyof Errors]: keyof Errors[Status] & string }[keyof Errors];

/** The error table of the codes and messages of each status: `{ 409: { UELN_TAKEN: 'Another horse has this UELN.' } }`. */
export function errorTable<const Errors extends ErrorsByStatus>(errors: Errors) {
	const rows = Object.entries(errors).flatMap(([status, messages]) =>
		Object.entries(messages).map(([code, message]) => [code, { status: Number(status), message }] as const),
	);
	return Object.fromEntries(rows) as Readonly<Record<CodeOf<Errors>, ErrorDefinition>>;
}

/** The details of one error, beyond its row in the table. */
export interface ApiErrorOptions {
	/** Replaces the table's message. Shown to the caller: no internals. */
	message?: string;
	errors?: readonly FieldError[];
	/** Further keys of the failure's `data`; they can't replace the standard keys. */
	context?: Readonly<Record<string, unknown>>;
	/** Further response headers, e.g. `Allow`. */
	headers?: Readonly<Record<string, string>>;
	/** Sets `Retry-After`; rounded up to whole seconds, at least 1. */
	retryAfterMs?: number;
	/** Logged, never shown. */
	cause?: unknown;
}

/** An expected failure: code, status and public message. Any other thrown value is a bug and becomes a bare INTERNAL_ERROR. */
export class ApiError extends Error {
	readonly code: string;
	readonly status: number;
	readonly errors: readonly FieldError[] | undefined;
	readonly context: Readonly<Record<string, unknown>>;
	readonly headers: Readonly<Record<string, string>>;

	constructor(code: string, definition: ErrorDefinition, options: ApiErrorOptions = {}) {
		// The stack of a client error is never used, and capturing it is the largest part of its cost.
		const { stackTraceLimit } = Error;
		if (definition.status < 500) Error.stackTraceLimit = 0;
		super(
			options.message ?? definition.message,
			options.cause === undefined ? undefined : { cause: options.cause },
		);
		Error.stackTraceLimit = stackTraceLimit;
		this.name = 'ApiError';
		this.code = code;
		this.status = definition.status;
		this.errors = options.errors;
		this.context = options.context ?? {};
		this.headers = { ...headersOf(code, definition.status, options.retryAfterMs), ...options.headers };
	}

	toData(requestId: string): FailureData {
		const own = {
			code: this.code,
			status: this.status,
			requestId,
			...(this.errors === undefined ? {} : { errors: this.errors }),
		};
		// A context with a record's `status` must not replace the response's.
		return { ...own, ...this.context, ...own };
	}
}

// RFC 6750 §3.1: a request without a token gets no error code.
const badToken: ReadonlySet<string> = new Set(['INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED']);

function headersOf(code: string, status: number, retryAfterMs: number | undefined): Record<string, string> {
	const headers: Record<string, string> = {};
	// RFC 9110 §11.6.1: a 401 names the accepted scheme.
	if (status === 401)
		headers['WWW-Authenticate'] = badToken.has(code) ? 'Bearer error="invalid_token"' : 'Bearer';
	if (retryAfterMs !== undefined)
		headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
	return headers;
}

/** Creates the function that makes the errors of a table: `throw fail('NOT_FOUND', { message: 'No such venue.' })`. */
export function errorFactory<const T extends Readonly<Record<string, ErrorDefinition>>>(table: T) {
	return (code: keyof T & string, options?: ApiErrorOptions): ApiError => {
		const definition = table[code];
		if (definition === undefined) throw new TypeError(`Unknown error code ${code}`);
		return new ApiError(code, definition, options);
	};
}

/** Creates the function that picks rows of a table by their codes, for the declarations of routes. */
export function errorPicker<Code extends string>(table: Readonly<Record<Code, ErrorDefinition>>) {
	return (...codes: readonly Code[]): Record<string, ErrorDefinition> =>
		Object.fromEntries(codes.map((code) => [code, table[code]]));
}
