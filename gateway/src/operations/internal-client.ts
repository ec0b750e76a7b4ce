import type { Agent } from 'node:http';
import { createServiceAgents, type MutualTls } from '@paddock/discovery';
import axios, { type AxiosInstance } from 'axios';

interface InternalClient {
	readonly http: AxiosInstance;
	/** The connections to processes of one name, to be given with each call. */
	agentOf(service: string): Agent;
	close(): void;
}

const responseBytesMax = 1024 * 1024;

/** Calls operations pages of other processes of the system, one at a time per process. */
export function createInternalClient(tls: MutualTls | undefined): InternalClient {
	const agents = createServiceAgents({ keepAlive: true, maxSockets: 1, timeout: 10_000 }, tls);
	const http = axios.create({
		// HTTP_PROXY and similar variables must not apply to internal addresses.
		proxy: false,
		maxRedirects: 0,
		maxContentLength: responseBytesMax,
		headers: { Accept: 'application/json' },
	});
	return { http, agentOf: agents.of, close: agents.close };
}

/** The reason of a failed call for an operator, without addresses. */
export function reasonOf(error: unknown): string {
	if (!axios.isAxiosError(error)) return 'The response is not readable';
	return error.response === undefined ? 'No response' : `Responded with ${error.response.status}`;
}
