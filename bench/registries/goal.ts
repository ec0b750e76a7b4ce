import { isDocument, type RequestFigures } from './measure-requests.ts';

/** p95 of a page of 50 records and of all other reads, of a page of 200 records, and of the first byte of a document. */
export const limits = { otherMs: 50, largePageMs: 100, documentMs: 50 };
const growthMax = 1.5;
/** A list of fewer records counts and sorts fewer than the 10,000 to which all others do. */
const growthFloorMs = 10;

type Miss = 'failed' | 'slow' | 'grown';

/** The rule that the figures miss; `smallest`: those of the same case in the smallest registry. */
export function missOf(figures: RequestFigures, smallest: RequestFigures | undefined): Miss | undefined {
	// 4xx is a response, such as the refusal of a query at its time limit.
	if (figures.status >= 500) return 'failed';
	if (isCountedWhole(figures)) return undefined;
	if (!isWrite(figures) && figures.p95Ms > limitMs(figures)) return 'slow';
	return smallest !== undefined && hasGrown(figures, smallest) ? 'grown' : undefined;
}

/** An exact total reads all records that match, on request of the office. */
export function isCountedWhole({ title }: Pick<RequestFigures, 'title'>): boolean {
	return title.includes('exactTotal');
}

/** Waits for the disk, and for the services that it asks: it must not grow. */
function isWrite({ route }: RequestFigures): boolean {
	return /^[A-Z]+ /.test(route);
}

function limitMs({ route, title }: RequestFigures): number {
	if (isDocument(route)) return limits.documentMs;
	return title.includes('size=200') ? limits.largePageMs : limits.otherMs;
}

function hasGrown(figures: RequestFigures, smallest: RequestFigures): boolean {
	// A page that the smallest registry doesn't have.
	if (figures.status !== smallest.status || figures.records !== smallest.records) return false;
	const growth = figures.p50Ms / smallest.p50Ms;
	return growth > growthMax && figures.p50Ms - smallest.p50Ms > growthFloorMs;
}
