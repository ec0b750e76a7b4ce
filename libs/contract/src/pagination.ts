import { apiError } from './common-errors.ts';

interface Pagination {
	page: number;
	size: number;
	totalElements: number;
	totalIsExact: boolean;
	totalPages: number;
	hasNext: boolean;
	hasPrevious: boolean;
	nextCursor: string | null;
}

export interface Page<T> {
	items: T[];
	pagination: Pagination;
}

/** Lists count up to this number of records, and pages by number reach as far; a cursor continues without a limit. */
export const countedMax = 10_000;

/** The same of a search, of which all hits have to be read. */
export const rankedMax = 1_000;

/** The rows of a page: skip `offset`, take `size`; or those after a cursor. */
export interface PageRequest {
	size: number;
	offset: number;
	cursor?: string;
	/** The filters and the sort of the list, to which its cursors belong. */
	scope: string;
	/** Counts all records, however many. */
	exactTotal?: boolean;
}

interface PageResult {
	/** At most `countedMax` or `rankedMax` unless it is exact. */
	readonly totalElements: number;
	readonly totalIsExact: boolean;
	/** Records before this page. */
	readonly before: number;
	readonly nextCursor: string | undefined;
}

/** Wraps the rows of one page. `before` need not be a multiple of `size`; `page` is then the page that contains it. */
export function pageOf<T>(items: T[], size: number, result: PageResult): Page<T> {
	const { totalElements, totalIsExact, before, nextCursor } = result;
	return {
		items,
		pagination: {
			page: Math.floor(before / size) + 1,
			size,
			totalElements,
			totalIsExact,
			totalPages: Math.ceil(totalElements / size),
			hasNext: nextCursor !== undefined,
			hasPrevious: before > 0,
			nextCursor: nextCursor ?? null,
		},
	};
}

export interface SortCriterion<Field extends string> {
	field: Field;
	descending: boolean;
}

/** The refusal of a cursor of another collection, filter or sort, and of other text. */
export function invalidCursor(cause?: unknown) {
	const message = 'must be the nextCursor of a page of this list with the same filters and sort';
	return apiError('INVALID_QUERY_PARAMETER', {
		errors: [{ field: 'cursor', code: 'INVALID_FORMAT', message }],
		cause,
	});
}
