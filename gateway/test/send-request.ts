import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface SentRequest {
	readonly method?: string;
	readonly path: string;
	readonly headers?: Record<string, string>;
	/** Sent with its length; an array is sent in chunks. */
	readonly body?: string | readonly string[];
	readonly token?: string;
	/** By default each request has its own connection. */
	readonly agent?: Agent;
}

export interface ReceivedResponse {
	/** 0 if the connection broke before the response. */
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
	/** False if the connection broke during the response. */
	readonly complete: boolean;
	readonly durationMs: number;
	/** The envelope. @throws SyntaxError if the body isn't JSON */
	json(): { success: boolean; data: Record<string, unknown>; message: string; timestamp: string };
}

/** Sends a request like an HTTP client. Never rejects: a broken connection is a result. */
export function sendRequest(port: number, sent: SentRequest): Promise<ReceivedResponse> {
	const startedAt = performance.now();
	const headers: Record<string, string> = { ...sent.headers };
	if (sent.token !== undefined) Object.assign(headers, { Authorization: `Bearer ${sent.token}` });
	const chunked = Array.isArray(sent.body);
	if (sent.body !== undefined && !chunked)
		headers['Content-Length'] = String(Buffer.byteLength(String(sent.body)));
	if (chunked) headers['Transfer-Encoding'] = 'chunked';
	return new Promise((resolve) => {
		const end = (
			status: number,
			responseHeaders: IncomingHttpHeaders,
			body: string,
			complete: boolean,
		): void =>
			resolve({
				status,
				headers: responseHeaders,
				body,
				complete,
				durationMs: performance.now() - startedAt,
				json: () => JSON.parse(body),
			});
		const outgoing = request(
			{
				host: '127.0.0.1',
				port,
				method: sent.method ?? 'GET',
				path: sent.path,
				headers,
				agent: sent.agent ?? false,
			},
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('error', () => undefined);
				response.once('close', () =>
					end(
						response.statusCode ?? 0,
						response.headers,
						Buffer.concat(chunks).toString(),
						response.complete,
					),
				);
			},
		);
		outgoing.once('error', () => end(0, {}, '', false));
		if (Array.isArray(sent.body)) for (const chunk of sent.body) outgoing.write(chunk);
		// Written as text, the head would be encoded as UTF-8 as well.
		outgoing.end(chunked || sent.body === undefined ? undefined : Buffer.from(String(sent.body)));
	});
}
