import { type MutualTls, openServiceAgents } from '@paddock/discovery';
import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';

export type InternalClient = ReturnType<typeof openInternalClient>;

const responseBytesMax = 1024 * 1024;

export function openInternalClient(settings: {
	readonly timeoutMs: number;
	readonly socketsMax: number;
	readonly tls: MutualTls | undefined;
}) {
	const { timeoutMs, socketsMax: maxSockets, tls } = settings;
	const agents = openServiceAgents({ keepAlive: true, maxSockets, timeout: 10_000 }, tls);
	const http = axios.create({
		// HTTP_PROXY and similar variables must not apply to internal addresses.
		proxy: false,
		maxRedirects: 0,
		maxContentLength: responseBytesMax,
		headers: { Accept: 'application/json' },
	});
	return {
		/** @throws AxiosError, also without a complete response in time */
		request: (service: string, call: AxiosRequestConfig): Promise<AxiosResponse<unknown>> => {
			// axios' own timeout doesn't cover connecting; the signal does.
			const signal = AbortSignal.timeout(timeoutMs);
			return http.request({ ...call, httpAgent: agents.of(service), signal });
		},
		close: agents.close,
	};
}

/** The reason of a failed call for an operator, without addresses. */
export function reasonOf(error: unknown): string {
	if (!axios.isAxiosError(error)) return 'The response is not readable';
	return error.response === undefined ? 'No response' : `Responded with ${error.response.status}`;
}
