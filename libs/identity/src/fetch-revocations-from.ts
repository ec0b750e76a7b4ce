import { Agent } from 'node:http';
import { z } from 'zod';
import { fetchJson } from './fetch-keys-from.ts';
import type { Revocation } from './revocation-list.ts';

interface FetchRevocationsDeps {
	readonly instanceUrls: () => readonly string[];
	readonly agent?: Agent;
}

/** Fetches the page after a cursor, waiting up to `waitMs` for a first entry; without a cursor all stored entries. */
export type FetchRevocations = (
	request: { readonly after: string | undefined; readonly waitMs: number; readonly timeoutMs: number },
	signal: AbortSignal,
) => Promise<RevocationPage>;

const bytesMax = 1_048_576;

/** Creates the fetch of `/internal/revocations`, at one instance as long as that succeeds. Rejects without an instance or a page. */
export function fetchRevocationsFrom({
	instanceUrls,
	agent: httpAgent = new Agent(),
}: FetchRevocationsDeps): FetchRevocations {
	let at = 0;
	return async ({ after, waitMs, timeoutMs }, signal) => {
		const urls = instanceUrls();
		const url = urls[at % urls.length];
		if (url === undefined) throw new Error('No instance is known that publishes revocations.');
		try {
			const address = new URL('/internal/revocations', url);
			if (after !== undefined)
				address.search = new URLSearchParams({ after, waitMs: `${waitMs}` }).toString();
			const accept = 'application/json';
			return readRevocationPage(await fetchJson(address, { accept, bytesMax, httpAgent, timeoutMs, signal }));
		} catch (error) {
			at += 1;
			throw error;
		}
	};
}

export interface RevocationPage {
	readonly items: readonly Revocation[];
	/** The cursor of the next page; opaque. */
	readonly next: string;
	/** Whether further entries are already available. */
	readonly more: boolean;
}

const envelope = z.object({
	data: z.object({
		items: z.array(
			z.object({ subject: z.string().regex(/^[A-Za-z0-9_-]{43}$/), before: z.int().nullable() }),
		),
		next: z.string().min(1).max(100),
		more: z.boolean(),
	}),
});

/** Reads the envelope of a page. @throws Error for any other shape. */
function readRevocationPage(body: unknown): RevocationPage {
	const { data: page } = envelope.safeParse(body);
	if (page === undefined) throw new Error('The response is not a page of the revocation feed.');
	return page.data;
}
