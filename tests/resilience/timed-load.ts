import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface TimedCall {
	readonly port: number;
	readonly path: string;
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** A connection of its own unless given. */
	readonly agent?: Agent;
}

export interface TimedResponse {
	/** When it was sent, by performance.now(). */
	readonly sentAtMs: number;
	/** Until the last byte. */
	readonly durationMs: number;
	/** 0 = the connection failed before the whole response was here; `body` then says how. */
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** One request without a client's own queues, checks or retries, which would show in its duration. Never rejects. */
export function timedRequest({ port, ...call }: TimedCall): Promise<TimedResponse> {
	const sentAtMs = performance.now();
	return new Promise((resolve) => {
		const end = (status: number, headers: IncomingHttpHeaders, body: string): void =>
			resolve({ sentAtMs, durationMs: performance.now() - sentAtMs, status, headers, body });
		const failed = (error: Error): void => end(0, {}, String(error));
		const sent = request(
			{
				host: '127.0.0.1',
				port,
				path: call.path,
				method: call.method ?? 'GET',
				headers: {
					...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
					...call.headers,
				},
				agent: call.agent ?? false,
			},
			(res) => {
				const chunks: Buffer[] = [];
				res.on('data', (chunk: Buffer) => chunks.push(chunk));
				res.once('error', failed);
				res.once('end', () => end(res.statusCode ?? 0, res.headers, Buffer.concat(chunks).toString()));
			},
		);
		sent.once('error', failed);
		sent.end(call.body);
	});
}

export interface SteadyLoad {
	/** The responses that are here so far. */
	readonly responses: readonly TimedResponse[];
	/** Stops sending, waits for requests in flight and resolves with all responses. */
	stop(): Promise<readonly TimedResponse[]>;
}

const tickMs = 10;

/** Sends at a constant rate however long responses take, like independent users. */
export function startSteadyLoad(perSecond: number, call: TimedCall | (() => TimedCall)): SteadyLoad {
	const agent = new Agent({ keepAlive: true });
	const responses: TimedResponse[] = [];
	const underWay = new Set<Promise<void>>();
	const startedAtMs = performance.now();
	let sent = 0;
	const send = (): void => {
		const response = timedRequest({ agent, ...(typeof call === 'function' ? call() : call) }).then((one) => {
			responses.push(one);
			underWay.delete(response);
		});
		underWay.add(response);
	};
	const timer = setInterval(() => {
		const due = ((performance.now() - startedAtMs) * perSecond) / 1_000;
		for (; sent < due; sent += 1) send();
	}, tickMs);
	return {
		responses,
		stop: async () => {
			clearInterval(timer);
			await Promise.all(underWay);
			agent.destroy();
			return responses;
		},
	};
}

/** The value that `part` (0–1) of the values don't exceed; NaN of none. */
export function quantile(values: readonly number[], part: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Milliseconds within which 99 % of the responses were here. */
export function p99Ms(responses: readonly TimedResponse[]): number {
	return quantile(
		responses.map(({ durationMs }) => durationMs),
		0.99,
	);
}

/** How many responses there are of each status. */
export function statusCounts(responses: readonly TimedResponse[]): Record<number, number> {
	const counts: Record<number, number> = {};
	for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}
