import { setTimeout as delay } from 'node:timers/promises';

/** What became of the requests of one load. */
interface LoadResult {
	requests: number;
	/** How many responses had each status; 0 = no response at all. */
	statuses: ReadonlyMap<number, number>;
	failures: string[];
}

export interface Load {
	/** Ends the load and waits for the requests in flight. */
	stop(): Promise<LoadResult>;
	/** Requests sent so far. */
	count(): number;
}

/** Leaves processor time to processes that start during the load. */
const pauseMs = 50;

/** Sends one request after the other, with a pause, from each of the clients, until it is stopped. */
export function startLoad(clients: number, send: (index: number) => Promise<Response>): Load {
	let running = true;
	let requests = 0;
	const statuses = new Map<number, number>();
	const failures: string[] = [];
	const client = async (): Promise<void> => {
		while (running) {
			requests += 1;
			let status = 0;
			try {
				const response = await send(requests);
				const text = await response.text();
				status = response.status;
				if (status >= 400) failures.push(`${status} ${text.slice(0, 200)}`);
			} catch (error) {
				failures.push(reasonOf(error));
			}
			statuses.set(status, (statuses.get(status) ?? 0) + 1);
			await delay(pauseMs);
		}
	};
	const all = Array.from({ length: clients }, client);
	return {
		count: () => requests,
		stop: async () => {
			running = false;
			await Promise.all(all);
			return { requests, statuses, failures };
		},
	};
}

function reasonOf(error: unknown): string {
	const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
	const code = cause instanceof Error && 'code' in cause ? `${cause.code} ` : '';
	return `${code}${cause}`;
}
