import { AsyncLocalStorage } from 'node:async_hooks';
import { remainingMs, requestSignal, unlessAborted } from '@paddock/resilience';
import { activeSpan, inChildSpan } from '@paddock/telemetry';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { ConnectionWaitError, isBusy, markConnectionError, QueryTimeoutError } from './connection-errors.ts';
import { errorCode, errorText, isError } from './error-code.ts';
import { createPreparedStatements, type PreparedStatements, preparing } from './prepared-statements.ts';
import { readOnlyCode, type ServerChooser } from './server-urls.ts';
import { withAuthor } from './transaction-author.ts';

interface PoolLimits {
	readonly responseTimeoutMs: number;
	/** Accepts or refuses a new connection. */
	readonly check: QueryConfig | undefined;
	/** Receives the error of each query that the server refused. */
	readonly onFailure: (error: unknown) => void;
}

/**
 * A pool whose queries always settle: after `responseTimeoutMs`, or shortly before the deadline of the current request,
 * the query rejects with a {@link QueryTimeoutError} and its connection is removed from the pool. pg's own
 * `query_timeout` returns the connection to the pool with the query still running, so that the next query waits behind it.
 *
 * A new connection that can't be opened is tried at each server once. When a server turns out to be read-only, all
 * connections that were opened before are closed at their next use, and new ones go to the next server.
 */
export function boundedPool(pool: Pool, chooser: ServerChooser, limits: PoolLimits): PostgresPool {
	const { responseTimeoutMs, onFailure } = limits;
	const open = checkedConnections(pool, limits.check);
	const prepared = createPreparedStatements();
	let epoch = 0;
	const epochs = new WeakMap<PoolClient, number>();
	const connect = async (): Promise<PostgresPoolClient> => {
		for (;;) {
			const client = await connectToAny(open, chooser);
			const opened = epochs.get(client) ?? epoch;
			epochs.set(client, opened);
			if (opened === epoch) {
				const onReadOnly = () => {
					if (opened !== epoch) return;
					epoch += 1;
					const url = chooser.addresses.get(client);
					if (url !== undefined) chooser.failed(url);
				};
				const isOutdated = () => opened !== epoch;
				return boundedClient(client, { responseTimeoutMs, prepared, onReadOnly, onFailure, isOutdated });
			}
			client.release(true);
		}
	};
	return { options: pool.options, connect, end: () => pool.end() };
}

/**
 * Takes connections from the pool and checks new ones. pg-pool's own `verify` loses a connection if the time-out of the
 * pool elapses during it: no caller has it, and it is never released.
 */
function checkedConnections(pool: Pool, check: QueryConfig | undefined): () => Promise<PoolClient> {
	const checked = new WeakSet<PoolClient>();
	return async () => {
		const client = await pool.connect();
		if (check === undefined || checked.has(client)) return client;
		try {
			await client.query(check);
		} catch (error) {
			client.release(true);
			throw error;
		}
		checked.add(client);
		return client;
	};
}

async function connectToAny(open: () => Promise<PoolClient>, chooser: ServerChooser): Promise<PoolClient> {
	const errors: unknown[] = [];
	for (;;) {
		const url = chooser.current();
		const reportFailure = (error: unknown) => {
			if (!isBusy(error)) chooser.failed(url);
		};
		try {
			return await connectInTime(open, reportFailure);
		} catch (error) {
			errors.push(error);
			const isLast = isBusy(error) || errors.length === chooser.count;
			if (!isLast) continue;
			// A standby is expected to be read-only; the error of another server is the reason.
			const reason = errors.find((one) => errorCode(one) !== readOnlyCode) ?? error;
			if (isError(reason)) markConnectionError(reason);
			throw reason;
		}
	}
}

/**
 * The pool has its own time-out; that of the request may be shorter. A connection that comes too late is returned.
 * @param reportFailure receives the pool's error, also if it comes after the deadline
 */
async function connectInTime(
	open: () => Promise<PoolClient>,
	reportFailure: (error: unknown) => void,
): Promise<PoolClient> {
	const limitMs = remainingMs();
	const connecting = open();
	connecting.catch(reportFailure);
	if (limitMs === undefined) return await connecting;
	return await inTime(connecting, limitMs, () => {
		connecting.then(
			(client) => client.release(),
			() => {}, // The query has been rejected already; `reportFailure` has the error.
		);
		return new ConnectionWaitError(limitMs);
	});
}

/** Settles like the promise, or rejects with the error of `onExpired` after `limitMs`. */
async function inTime<T>(promise: Promise<T>, limitMs: number, onExpired: () => Error): Promise<T> {
	const { promise: expired, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(onExpired()), limitMs);
	try {
		return await Promise.race([promise, expired]);
	} finally {
		clearTimeout(timer);
	}
}

interface ClientBounds extends Omit<PoolLimits, 'check'> {
	readonly prepared: PreparedStatements;
	/** Called for each query that the server refused because it is read-only. */
	readonly onReadOnly: () => void;
	readonly isOutdated: () => boolean;
}

const transactionBegins = /^(?:begin|start transaction)\b/;
/** A text that begins a transaction and goes on, as those of pg-boss. */
const wholeTransaction = /^\s*begin\s*;/i;

function boundedClient(client: PoolClient, bounds: ClientBounds): PostgresPoolClient {
	let timedOut: QueryTimeoutError | undefined;
	let closed = false;
	let isTransaction = false;
	const bounded = async (text: string, parameters: readonly unknown[]) => {
		if (timedOut) throw timedOut;
		const limitMs = Math.min(
			queryTimeLimit.getStore() ?? bounds.responseTimeoutMs,
			remainingMs() ?? Number.POSITIVE_INFINITY,
		);
		try {
			const isBegin = transactionBegins.test(text);
			isTransaction ||= isBegin;
			const isPrepared = preparing.getStore() ?? isTransaction;
			const name = isPrepared ? bounds.prepared.nameOf(text, parameters) : undefined;
			const values = [...parameters];
			const sent =
				name === undefined
					? client.query(isBegin ? withAuthor(text) : text, values)
					: client.query({ name, text, values });
			const response = inTime(sent, limitMs, () => {
				timedOut = new QueryTimeoutError(limitMs);
				return timedOut;
			});
			const signal = requestSignal.getStore();
			return oneResult(await (signal === undefined ? response : unlessAborted(response, signal)));
		} catch (error) {
			// The server closes the connection after a fatal error; the next query must not use it.
			// After an abort the query still runs: the server cancels it when the connection is closed.
			closed ||= errorText(error, 'severity') === 'FATAL' || requestSignal.getStore()?.aborted === true;
			// The transaction of several statements in one text stays open if one of them fails.
			closed ||= wholeTransaction.test(text);
			if (errorCode(error) === readOnlyCode) bounds.onReadOnly();
			bounds.prepared.onFailure(error);
			bounds.onFailure(error);
			throw error;
		}
	};
	const query = (text: string, parameters: readonly unknown[]) =>
		withQuerySpan(client, text, () => bounded(text, parameters));
	return {
		query: query as unknown as PostgresPoolClient['query'],
		release: (destroy) => client.release(timedOut ?? (closed || destroy || bounds.isOutdated())),
	};
}

/** The driver returns an array for several statements in one text, such as those of pg-boss; Kysely would find no rows in it. */
function oneResult(result: QueryResult | QueryResult[]): Pick<QueryResult, 'command' | 'rowCount' | 'rows'> {
	if (!Array.isArray(result)) return result;
	return { command: 'SELECT', rowCount: null, rows: result.flatMap(({ rows }) => rows) };
}

/**
 * The driver's time-out for the response to one query, in milliseconds, if it differs from the pool's: a migration may
 * take minutes. The server's `statement_timeout` is no substitute, because a hanging server doesn't enforce it.
 */
export const queryTimeLimit = new AsyncLocalStorage<number>();

/**
 * Runs a query with a span of its own in a recorded request. Values are bind parameters, so the statement has none.
 * https://opentelemetry.io/docs/specs/semconv/database/postgresql/
 */
function withQuerySpan<Result>(
	client: PoolClient,
	text: string,
	query: () => Promise<Result>,
): Promise<Result> {
	const parent = activeSpan();
	if (parent === undefined) return query();
	const summary = summaryOf(text);
	const attributes = {
		'db.system.name': 'postgresql',
		'db.namespace': client.database,
		'db.query.summary': summary,
		'db.query.text': text,
		'server.address': client.host,
		'server.port': client.port,
	};
	return inChildSpan(parent, summary, { kind: 'client', attributes }, query);
}

/** `SELECT horses`: the first word, and the first table. */
function summaryOf(text: string): string {
	const [, operation = ''] = /^\s*(\w+)/.exec(text.slice(0, 200)) ?? [];
	const [, table] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text) ?? [];
	return table === undefined ? operation.toUpperCase() : `${operation.toUpperCase()} ${table}`;
}
