import { startTcpProxy } from '@paddock/testing';

export interface CountingRelay {
	/** `127.0.0.1:port`, for CONSUL_HTTP_ADDR. */
	readonly address: string;
	/** The time of each call of Consul's API, by performance.now(). */
	readonly calledAtMs: readonly number[];
	/** The number of open connections. */
	open(): number;
	stop(): Promise<void>;
}

/** A TCP proxy between processes and Consul that counts API calls, even while Consul is frozen. */
export async function countingRelay(toPort: number): Promise<CountingRelay> {
	const calledAtMs: number[] = [];
	const proxy = await startTcpProxy([{ port: toPort }], (chunk) => {
		// Consul's client sends a request head in one chunk, and no body looks like a head.
		const calls = chunk.toString('latin1').match(/^(GET|PUT|POST|DELETE) \/v1\//gm) ?? [];
		for (const _call of calls) calledAtMs.push(performance.now());
	});
	return { ...proxy, calledAtMs };
}
