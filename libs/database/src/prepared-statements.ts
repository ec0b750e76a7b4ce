import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { errorCode, errorText } from './error-code.ts';

/** Names of prepared statements of one pool. */
export interface PreparedStatements {
	/** Undefined: the statement is sent without a name, and the server plans it again. */
	nameOf(text: string, parameters: readonly unknown[]): string | undefined;
	/** Receives the error of each statement that the server refused. */
	onFailure(error: unknown): void;
}

/** Statements whose text varies, such as lists of values, must not fill the memory of the server. */
const statementsMax = 200;

/**
 * The statements of transactions are prepared, but for those of `unprepared` (others by `prepared`): they find and change records by their keys, so that one plan serves all values,
 * and planning them costs more than executing them. Others, such as lists, are planned for their values each time, but for the records of a page, which are
 * found by their ids.
 *
 * A pooler that gives each transaction another connection may not know the statements of the one before: then none is
 * prepared any more. A migration may change the columns of a result: then all are prepared again. `inTransaction` repeats
 * the transaction in both cases, see `isUnprepared`.
 */
export function createPreparedStatements(): PreparedStatements {
	const hashes = new Map<string, string>();
	let epoch = 0;
	let arePrepared = true;
	return {
		nameOf: (text, parameters) => {
			if (!arePrepared || parameters.length === 0) return undefined;
			const known = hashes.get(text);
			if (known === undefined && hashes.size === statementsMax) return undefined;
			// A pooler may give a connection to several processes: a name must not mean another statement at one of them.
			const digest = known ?? hash('sha256', text, 'base64url');
			hashes.set(text, digest);
			return `${epoch}_${digest}`;
		},
		onFailure: (error) => {
			if (!isUnprepared(error)) return;
			if (errorCode(error) === changedResult.code) epoch += 1;
			else arePrepared = false;
		},
	};
}

/** feature_not_supported, of the function in which the server compares the columns. */
const changedResult = { code: '0A000', routine: 'RevalidateCachedQuery' };
/** invalid_sql_statement_name and duplicate_prepared_statement */
const unknownCodes: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/** Whether the statement was refused because of its preparation only. */
export function isUnprepared(error: unknown): boolean {
	const code = errorCode(error);
	if (unknownCodes.has(code)) return true;
	return code === changedResult.code && errorText(error, 'routine') === changedResult.routine;
}

/** Whether queries are prepared; by default those of transactions are. */
export const preparing = new AsyncLocalStorage<boolean>();

/** Plans the queries of a transaction for their values each time, as those of lists. */
export function unprepared<Result>(work: () => Promise<Result>): Promise<Result> {
	return preparing.run(false, work);
}

const inFailedTransaction = '25P02';

/** Prepares a query that finds records by their keys outside of a transaction; repeats it if only its preparation was refused. */
export function prepared<Result>(query: () => Promise<Result>): Promise<Result> {
	return preparing.run(true, () =>
		query().catch((refused: unknown) => {
			if (!isUnprepared(refused)) throw refused;
			return query().catch((error: unknown) => {
				// Only the whole transaction can be repeated, for the first error.
				throw errorCode(error) === inFailedTransaction ? refused : error;
			});
		}),
	);
}
