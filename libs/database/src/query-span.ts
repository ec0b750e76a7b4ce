import { activeSpan, inChildSpan } from '@paddock/telemetry';
import type { PoolClient } from 'pg';

/**
 * Runs a query with a span of its own in a recorded request. Values are bind parameters, so the statement has none.
 * https://opentelemetry.io/docs/specs/semconv/database/postgresql/
 */
export function withQuerySpan<Result>(
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
