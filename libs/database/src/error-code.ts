import { types } from 'node:util';

/** True for every error, also one of another realm (a vm context, as tests run in), where `instanceof` is false. */
export function isError(error: unknown): error is Error {
	return types.isNativeError(error);
}

/** `ENOENT`, `ECONNREFUSED` of Node.js, or the SQLSTATE of PostgreSQL; undefined where an error has none. */
export function errorCode(error: unknown): string | undefined {
	return errorText(error, 'code');
}

/** A further field of an error that is a text, such as `constraint` and `severity` of PostgreSQL's. */
export function errorText(error: unknown, field: string): string | undefined {
	if (!isError(error)) return undefined;
	const value: unknown = Reflect.get(error, field);
	return typeof value === 'string' ? value : undefined;
}
