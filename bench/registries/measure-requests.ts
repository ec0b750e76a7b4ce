export interface RequestCase {
	readonly title: string;
	/** The path and query of the n-th request. */
	readonly path: (index: number) => string;
}

export interface RequestFigures {
	readonly title: string;
	readonly requests: number;
	readonly p50Ms: number;
	readonly p95Ms: number;
	readonly maxMs: number;
	/** From the last response; undefined if it isn't a list. */
	readonly totalElements: number | undefined;
}

const warmUp = 50;

/**
 * Sends one request at a time and measures each from sending to the last byte.
 * @throws Error if a status isn't 200: failures are fast and would distort the figures.
 */
export async function measureRequests(
	origin: string,
	token: string,
	{ title, path }: RequestCase,
	requests: number,
): Promise<RequestFigures> {
	const durationsMs: number[] = [];
	let last: unknown;
	for (let index = -warmUp; index < requests; index += 1) {
		const url = `${origin}${path(index + warmUp)}`;
		const startMs = performance.now();
		const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
		const text = await response.text();
		if (index >= 0) durationsMs.push(performance.now() - startMs);
		if (response.status !== 200) throw new Error(`${url} returned ${response.status}: ${text.slice(0, 300)}`);
		last = JSON.parse(text);
	}
	durationsMs.sort((a, b) => a - b);
	const quantile = (share: number) => durationsMs[Math.ceil(share * durationsMs.length) - 1] ?? 0;
	const totalElements = totalOf(last);
	return { title, requests, p50Ms: quantile(0.5), p95Ms: quantile(0.95), maxMs: quantile(1), totalElements };
}

function totalOf(body: unknown): number | undefined {
	const { data } = body as { data?: { pagination?: { totalElements?: number } } };
	return data?.pagination?.totalElements;
}
