import type { RequestCase } from './contract-cases.ts';

export interface RequestFigures {
	readonly route: string;
	readonly title: string;
	readonly role: string;
	/** Of the last response. */
	readonly status: number;
	readonly requests: number;
	readonly p50Ms: number;
	readonly p95Ms: number;
	/** Records in the last response; undefined if it isn't a list. */
	readonly records: number | undefined;
}

const warmUp = 2;
/** A request this slow is measured twice only. */
const slowMs = 1_500;

/**
 * Sends one request at a time and measures each from sending to the last byte, of a document, which has as many records as match, to the
 * first one. A refusal is measured once.
 */
export async function measureRequests(
	origin: string,
	{ role, token }: { readonly role: string; readonly token: string | undefined },
	{ route, title, path }: RequestCase,
	requests: number,
): Promise<RequestFigures> {
	const durationsMs: number[] = [];
	const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	let status = 0;
	let text = '';
	for (let index = -warmUp; index < requests; index += 1) {
		const startMs = performance.now();
		const response = await fetch(`${origin}${path(index + warmUp)}`, { headers });
		const firstByteMs = performance.now() - startMs;
		text = await response.text();
		const tookMs = isDocument(route) ? firstByteMs : performance.now() - startMs;
		status = response.status;
		if (index >= 0 || status !== 200 || tookMs > slowMs) durationsMs.push(tookMs);
		if ((status !== 200 && status !== 404) || (tookMs > slowMs && index > -warmUp)) break;
	}
	durationsMs.sort((a, b) => a - b);
	const quantile = (share: number) => durationsMs[Math.ceil(share * durationsMs.length) - 1] ?? 0;
	const measured = { requests: durationsMs.length, p50Ms: quantile(0.5), p95Ms: quantile(0.95) };
	return { route, title, role, status, ...measured, records: recordsOf(text) };
}

/** Whether the route's response is a file, such as `calendar.ics`. */
export function isDocument(route: string): boolean {
	return /\.\w+$/.test(route);
}

function recordsOf(body: string): number | undefined {
	if (!body.startsWith('{')) return undefined;
	const { data } = JSON.parse(body) as { data?: { items?: readonly unknown[] } };
	return data?.items?.length;
}
