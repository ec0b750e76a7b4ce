import type { Logger } from '@paddock/telemetry';
import { type Kysely, sql } from 'kysely';
import { errorCode, errorText, isError } from './error-code.ts';

/** Why a server can't write, or work at all for now: reasons outside of the query. */
const storageProblems = ['out of space', 'storage error', 'out of memory', 'out of resources'] as const;

type StorageProblem = (typeof storageProblems)[number];

/** SQLSTATEs, PostgreSQL documentation, appendix A: class 53 (insufficient resources) and 58 (system error). */
const problemsByCode: ReadonlyMap<string, StorageProblem> = new Map([
	['53000', 'out of resources'],
	['53100', 'out of space'],
	['53200', 'out of memory'],
]);
const systemErrorClass = /^58[0-9A-Z]{3}$/;

// The server has no SQLSTATE of their own for these errors of the system: an exhausted quota is XX000 (internal error), a file
// system that has become read-only 42501 (insufficient privilege).
const problemsByMessage: readonly [RegExp, StorageProblem][] = [
	[/No space left on device|Disk quota exceeded/, 'out of space'],
	[/Read-only file system|Input\/output error/, 'storage error'],
];

/** Undefined if the error is another one. */
export function storageProblem(error: unknown): StorageProblem | undefined {
	const code = errorCode(error);
	if (code === undefined || errorText(error, 'severity') === undefined) return undefined;
	const known = problemsByCode.get(code) ?? (systemErrorClass.test(code) ? 'storage error' : undefined);
	if (known !== undefined || !isError(error)) return known;
	return problemsByMessage.find(([message]) => message.test(error.message))?.[1];
}

/** The state of a server's storage, as the failures of queries show it. */
export interface StorageWatch {
	/** For each failed query. */
	failed(error: unknown): void;
	/** The present problem. After a while without failures, it ends when `write` succeeds. */
	problem(write: () => Promise<unknown>): Promise<StorageProblem | undefined>;
	/** Failed queries since the start. */
	counts(): ReadonlyMap<StorageProblem, number>;
}

// With a disk that is almost full, some writes succeed.
const holdMs = 10_000;

/** @param now monotonic milliseconds */
export function createStorageWatch(logger: Logger, now = () => performance.now()): StorageWatch {
	const counts = new Map<StorageProblem, number>(storageProblems.map((problem) => [problem, 0]));
	let current: StorageProblem | undefined;
	let failedAt = Number.NEGATIVE_INFINITY;
	const failed = (error: unknown): void => {
		const problem = storageProblem(error);
		if (problem === undefined) return;
		counts.set(problem, (counts.get(problem) ?? 0) + 1);
		current = problem;
		failedAt = now();
	};
	return {
		failed,
		problem: async (write) => {
			if (current === undefined || now() - failedAt < holdMs) return current;
			// A problem that persists is counted by `failed`.
			const writes = await write().then(
				() => true,
				(error: unknown) => storageProblem(error) === undefined,
			);
			if (writes && current !== undefined) {
				logger.info('the database accepts writes again', { problem: current });
				current = undefined;
			}
			return current;
		},
		counts: () => counts,
	};
}

/** Writes some hundred kilobytes to a temporary file of the database, which leaves nothing behind. */
export async function writeTemporaryFile<Schema>(db: Kysely<Schema>): Promise<void> {
	await db.transaction().execute(async (transaction) => {
		await sql`set local work_mem = '64kB'`.execute(transaction);
		await sql`select count(*) from generate_series(1, 20000)`.execute(transaction);
	});
}
