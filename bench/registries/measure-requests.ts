export interface RequestCase {
	readonly title: string;
	/** What the n-th request asks for. */
	readonly path: (index: number) => string;
}

export interface RequestFigures {
	readonly title: string;
	readonly requests: number;
	readonly p50Ms: number;
	readonly p95Ms: number;
	readonly maxMs: number;
	/** As the last answer says; undefined where it isn't a list. */
	readonly totalElements: number | undefined;
}

const warmUp = 50;

/**
 * Asks one request after the other and takes the time of each, from sending to the last byte.
 * @throws Error when an answer isn't 200: figures of failures would flatter.
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
		const to = `${origin}${path(index + warmUp)}`;
		const startMs = performance.now();
		const answer = await fetch(to, { headers: { Authorization: `Bearer ${token}` } });
		const text = await answer.text();
		if (index >= 0) durationsMs.push(performance.now() - startMs);
		if (answer.status !== 200) throw new Error(`${to} answered ${answer.status}: ${text.slice(0, 300)}`);
		last = JSON.parse(text);
	}
	durationsMs.sort((a, b) => a - b);
	const quantile = (share: number) => durationsMs[Math.ceil(share * durationsMs.length) - 1] ?? 0;
	const totalElements = totalOf(last);
	return { title, requests, p50Ms: quantile(0.5), p95Ms: quantile(0.95), maxMs: quantile(1), totalElements };
}

function totalOf(answer: unknown): number | undefined {
	const { data } = answer as { data?: { pagination?: { totalElements?: number } } };
	return data?.pagination?.totalElements;
}
