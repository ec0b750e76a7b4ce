import { QueryTimeoutError } from './connection-errors.ts';
import { errorCode, isError } from './error-code.ts';
import { storageProblem } from './storage-watch.ts';
import { readOnlyCode } from './writable-server.ts';

/** By errno or SQLSTATE (PostgreSQL documentation, appendix A). */
const descriptions: Readonly<Record<string, string>> = {
	[readOnlyCode]: 'server is read-only',
	ECONNREFUSED: 'connection refused',
	ECONNRESET: 'connection reset',
	ENOTFOUND: 'host name not found',
	EAI_AGAIN: 'host name not found',
	ETIMEDOUT: 'connection timed out',
	'28000': 'credentials rejected',
	'28P01': 'credentials rejected',
	'3D000': 'database does not exist',
	'53300': 'too many connections',
	'53400': 'limit of the server exceeded',
	'57P01': 'server stopped',
	'57P02': 'server crashed',
	'57P03': 'server is starting or stopping',
	'57P04': 'database was dropped',
	'57P05': 'session was idle for too long',
};

/** The cause of a failed database call for health pages: without address, user and database name. */
export function describeDatabaseFailure(error: unknown): string {
	if (error instanceof QueryTimeoutError) return 'no response in time';
	const problem = storageProblem(error);
	if (problem !== undefined) return problem;
	const code = failureCode(error);
	if (code !== undefined) return descriptions[code] ?? `error ${code}`;
	return isError(error) && /timeout/.test(error.message) ? 'no response in time' : 'connection lost';
}

/** The first code of an error, its causes, and the errors of all addresses of a name. */
function failureCode(error: unknown): string | undefined {
	if (!isError(error)) return undefined;
	const own = errorCode(error);
	if (own !== undefined) return own;
	const each: readonly unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
	return [...each, error.cause].map(failureCode).find((code) => code !== undefined);
}
