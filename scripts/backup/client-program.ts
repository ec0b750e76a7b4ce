import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '../start/start-error.ts';

const run = promisify(execFile);

/**
 * Runs a program of PostgreSQL's clients on a database; resolves with its stdout. The password is in the environment.
 * @throws StartError with the program's own message, such as that it is older than the server
 */
export async function clientProgram(
	program: 'pg_dump' | 'pg_restore',
	url: string,
	args: readonly string[],
	signal: AbortSignal,
): Promise<string> {
	// The class URL can't parse an address with several hosts.
	const [, start = '', password = ''] = withPassword.exec(url) ?? [];
	const address = password === '' ? url : url.replace(withPassword, `${start}@`);
	try {
		const { stdout } = await run(program, [`--dbname=${address}`, ...args], {
			signal,
			// An address without a password leaves libpq its other sources: PGPASSWORD, ~/.pgpass.
			env: password === '' ? process.env : { ...process.env, PGPASSWORD: decodeURIComponent(password) },
		});
		return stdout;
	} catch (cause) {
		throw new StartError(reasonOf(program, cause), { cause });
	}
}

const withPassword = /^([a-z]+:\/\/[^:@/]*):([^@/]*)@/;

function reasonOf(program: string, error: unknown): string {
	if (!(error instanceof Error)) return `${program}: ${String(error)}`;
	if ('code' in error && error.code === 'ENOENT') {
		return `${program} is not on the PATH: install PostgreSQL's client programs, not older than the server`;
	}
	return 'stderr' in error && error.stderr !== '' ? String(error.stderr) : error.message;
}
