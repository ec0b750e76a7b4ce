import { request } from 'node:http';
import type { Bench, BenchGateway } from './test-bench.ts';

const path = '/actuator/health/stream';

/** A client of the health stream. */
export interface Seen {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	/** The text received so far. */
	text(): string;
	/** The data of the events received so far. */
	events(): HealthEvent[];
	ended(): boolean;
	leave(): void;
}

export interface HealthEvent {
	health: { status: string; components: Record<string, { status: string; instances?: unknown[] }> };
	history: Record<string, unknown>[];
	at: string;
}

/** Connects a client; it disconnects at the end of the test. */
export function listenToHealth(
	bench: Pick<Bench, 'closing'>,
	gateway: BenchGateway,
	headers: Record<string, string> = {},
): Promise<Seen> {
	return new Promise((resolve, reject) => {
		const outgoing = request(
			{ host: '127.0.0.1', port: gateway.port, path, headers, agent: false },
			(res) => {
				let text = '';
				let ended = false;
				res.setEncoding('utf8').on('data', (chunk: string) => {
					text += chunk;
				});
				res.once('end', () => {
					ended = true;
				});
				res.on('error', () => undefined); // Leaving breaks it off.
				bench.closing(() => void outgoing.destroy());
				resolve({
					status: res.statusCode ?? 0,
					headers: res.headers,
					text: () => text,
					events: () =>
						[...text.matchAll(/^event: health\ndata: (.*)\n$/gm)].map(([, data = '']) => JSON.parse(data)),
					ended: () => ended,
					leave: () => outgoing.destroy(),
				});
			},
		);
		outgoing.once('error', reject).end();
	});
}
