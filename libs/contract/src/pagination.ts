/** The position of a page in its list. `page` counts from 1. */
interface Pagination {
	page: number;
	size: number;
	totalElements: number;
	totalPages: number;
	hasNext: boolean;
	hasPrevious: boolean;
}

/** The `data` of every list. */
export interface Page<T> {
	items: T[];
	pagination: Pagination;
}

/** The rows of a page: skip `offset`, take `size`. */
export interface PageRequest {
	size: number;
	offset: number;
}

/** Wraps the rows of one page. `offset` need not be a multiple of `size`; `page` is then the page that contains it. */
export function pageOf<T>(items: T[], totalElements: number, request: PageRequest): Page<T> {
	const page = Math.floor(request.offset / request.size) + 1;
	return {
		items,
		pagination: {
			page,
			size: request.size,
			totalElements,
			totalPages: Math.ceil(totalElements / request.size),
			hasNext: request.offset + request.size < totalElements,
			hasPrevious: request.offset > 0,
		},
	};
}

/** One criterion of a sort order. */
export interface SortCriterion<Field extends string> {
	field: Field;
	descending: boolean;
}
