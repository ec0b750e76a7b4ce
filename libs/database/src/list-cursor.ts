import { invalidCursor } from '@paddock/contract';

/** The position after a page. Clients treat it as opaque; a changed one is refused or leads to another position. */
export interface CursorPosition {
	/** The values of the last row's keys. */
	readonly values: readonly (string | null)[];
	/** Records up to there. */
	readonly before: number;
	readonly total: number;
	readonly isExact: boolean;
}

/** Changes when the content of cursors does. */
const format = 1;
const cursorCharsMax = 4_000;

export function cursorOf(scope: string, { values, before, total, isExact }: CursorPosition): string {
	const content = JSON.stringify([format, scope, before, total, isExact ? 1 : 0, ...values]);
	return Buffer.from(content).toString('base64url');
}

/** @throws ApiError INVALID_QUERY_PARAMETER for a cursor of another list, filter or sort, and for other text */
export function positionOf(cursor: string, scope: string, keyCount: number): CursorPosition {
	const content = parsed(cursor);
	if (!Array.isArray(content)) throw invalidCursor();
	const [version, itsScope, before, total, isExact, ...values] = content as readonly unknown[];
	const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
	if (version !== format || itsScope !== scope) throw invalidCursor();
	if (!isCount(before) || !isCount(total) || values.length !== keyCount) throw invalidCursor();
	if (!values.every((value): value is string | null => value === null || typeof value === 'string'))
		throw invalidCursor();
	return { values, before, total, isExact: isExact === 1 };
}

function parsed(cursor: string): unknown {
	if (cursor.length > cursorCharsMax) return undefined;
	try {
		return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
	} catch {
		return undefined; // Not JSON: no cursor of ours. The caller reports it.
	}
}
