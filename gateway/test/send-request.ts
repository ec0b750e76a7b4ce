import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface SentRequest {
	readonly method?: string;
	readonly path: string;
	readonly headers?: Record<string, string>;
	/** Sent with its length; an array is sent in chunks. */
	readonly body?: string | readonly string[];
	readonly token?: string;
	/** Without one each request has its own connection. */
	readonly agent?: Agent;
}

export interface SentAnswer {
	/** 0 where the connection broke before an answer. */
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
	/** False where the connection broke before the answer's end. */
	readonly complete: boolean;
	readonly durationMs: number;
	/** The envelope; fails where the body isn't JSON. */
	json(): { success: boolean; data: Record<string, unknown>; message: string; timestamp: string };
}

/** One request as any HTTP client would send it. Never rejects: a connection that breaks is a result, too. */
export function sendRequest(port: number, sent: SentRequest): Promise<SentAnswer> {
	const startedAt = performance.now();
	const headers: Record<string, string> = { ...sent.headers };
	if (sent.token !== undefined) Object.assign(headers, { Authorization: `Bearer ${sent.token}` });
	const chunked = Array.isArray(sent.body);
	if (sent.body !== undefined && !chunked)
		headers['Content-Length'] = String(Buffer.byteLength(String(sent.body)));
	if (chunked) headers['Transfer-Encoding'] = 'chunked';
	return new Promise((resolve) => {
		const end = (status: number, answered: IncomingHttpHeaders, body: string, complete: boolean): void =>
			resolve({
				status,
				headers: answered,
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
			(answer) => {
				const chunks: Buffer[] = [];
				answer.on('data', (chunk: Buffer) => chunks.push(chunk));
				answer.on('error', () => undefined);
				answer.once('close', () =>
					end(answer.statusCode ?? 0, answer.headers, Buffer.concat(chunks).toString(), answer.complete),
				);
			},
		);
		outgoing.once('error', () => end(0, {}, '', false));
		if (Array.isArray(sent.body)) for (const chunk of sent.body) outgoing.write(chunk);
		// As text it would take the head along into UTF-8.
		outgoing.end(chunked || sent.body === undefined ? undefined : Buffer.from(String(sent.body)));
	});
}
