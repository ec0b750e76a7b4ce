import { types } from 'node:util';

/**
 * True for every error, including one of another realm (a vm context, as in tests), for which `instanceof` is false.
 */
export function isError(error: unknown): error is Error {
	return types.isNativeError(error);
}

/** Node.js's `ENOENT`, `ECONNREFUSED` etc., or PostgreSQL's SQLSTATE; undefined if the error has none. */
export function errorCode(error: unknown): string | undefined {
	return errorText(error, 'code');
}

/** A further text field of an error, such as PostgreSQL's `constraint` and `severity`. */
export function errorText(error: unknown, field: string): string | undefined {
	if (!isError(error)) return undefined;
	const value: unknown = Reflect.get(error, field);
	return typeof value === 'string' ? value : undefined;
}
