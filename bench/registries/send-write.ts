import type { Context } from './open-registries.ts';
import type { RegistrySize } from './registry-size.ts';

export interface WritesSetup {
	readonly origins: Readonly<Record<Context, string>>;
	readonly urls: Readonly<Record<Context, string>>;
	readonly size: RegistrySize;
	/** A token of the federation's office, or of a member. */
	readonly tokenOf: (memberId?: string) => string;
}

export interface Sent {
	readonly status: number;
	readonly tookMs: number;
	readonly data: { readonly id: string; readonly version: number };
}

interface Request {
	readonly token: string;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request and measures it from sending to the last byte. */
export async function send(
	{ origins }: WritesSetup,
	context: Context,
	method: string,
	path: string,
	{ token, body, headers }: Request,
): Promise<Sent> {
	const startedMs = performance.now();
	const response = await fetch(`${origins[context]}${path}`, {
		method,
		headers: {
			Authorization: `Bearer ${token}`,
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
			...headers,
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const { data } = (await response.json()) as Pick<Sent, 'data'>;
	return { status: response.status, tookMs: performance.now() - startedMs, data };
}

export function quantile(sorted: readonly number[], share: number): number {
	return sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
}
