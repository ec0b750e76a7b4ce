import { fail } from '@paddock/contract';
import type { Request } from 'express';

/** All values of one query parameter. @throws ApiError INVALID_QUERY_PARAMETER when the query has any other */
export function queryValues(req: Request, name: string): readonly string[] {
	const start = req.url.indexOf('?');
	const query = new URLSearchParams(start === -1 ? '' : req.url.slice(start + 1));
	const unknown = [...new Set(query.keys())].filter((key) => key !== name);
	if (unknown.length === 0) return query.getAll(name);
	throw fail('INVALID_QUERY_PARAMETER', {
		errors: unknown.map((field) => ({
			field: field.slice(0, 100),
			code: 'UNKNOWN_FIELD',
			message: 'is not known here',
		})),
	});
}
