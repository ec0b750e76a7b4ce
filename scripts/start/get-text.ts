import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';

interface TextResponse {
	readonly status: number | undefined;
	readonly body: string;
}

/**
 * The response to a GET. Not fetch(), which has no options for certificates, and without an agent: the next attempt must
 * not use a connection that has failed.
 */
export async function getText(url: string, options: https.RequestOptions): Promise<TextResponse> {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const client = url.startsWith('https:') ? https : http;
	client.get(url, { ...options, agent: false }, resolve).on('error', reject);
	const response = await promise;
	return { status: response.statusCode, body: await text(response) };
}
