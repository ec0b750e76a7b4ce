import { NetworkError, PaddockError } from './errors.ts';

/** `fetch`, or a replacement for it. */
export type Fetch = (request: Request) => Promise<Response>;

/** How the body of a success is passed on: as a whole, or as a stream. A body cut off is then the reader's to notice. */
export type Reading = 'whole' | 'stream';

/**
 * Sends one request.
 * @throws PaddockError for a failure that the gateway reports, NetworkError without a complete response, and the reason of
 * the request's signal once it is aborted
 */
export async function exchange(
	fetch: Fetch,
	request: Request,
	reading: Reading = 'whole',
): Promise<Response> {
	try {
		const response = await fetch(request);
		if (response.ok && reading === 'stream') return response;
		const text = await response.text();
		// 204 and 205 allow no body, not even an empty one.
		if (response.ok) return new Response(text === '' ? null : text, response);
		return reported(response, text);
	} catch (error) {
		if (error instanceof PaddockError) throw error;
		request.signal.throwIfAborted();
		throw new NetworkError('No response from the gateway.', { cause: error });
	}
}

/** A health report with the status 503 has the same data as one with 200, and no code: it is the result, not a failure. */
function reported(response: Response, text: string): Response {
	const envelope = parsed(text);
	if (envelope?.data !== undefined && envelope.data.code === undefined)
		return new Response(text, { headers: response.headers });
	throw new PaddockError(
		envelope?.message ?? `The response has the status ${response.status}, but is not the gateway's.`,
		{ ...envelope?.data, status: response.status },
		retryAfterMs(response.headers.get('Retry-After')),
	);
}

interface Envelope {
	readonly success: boolean;
	readonly message: string;
	readonly data?: { readonly code?: string };
}

function parsed(text: string): Envelope | undefined {
	try {
		const value = JSON.parse(text) as Partial<Envelope> | null;
		return typeof value?.success === 'boolean' ? (value as Envelope) : undefined;
	} catch {
		// Proxies in front of the gateway respond with HTML or text.
		return undefined;
	}
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
	if (header === null) return undefined;
	const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
