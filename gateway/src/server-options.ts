import type { GatewayConfig } from './config.ts';

/** The settings of every HTTP server of the gateway. */
export function serverOptions(config: GatewayConfig, now: () => Date) {
	return {
		host: config.host,
		keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
		headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
		requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
		unreadTimeoutMs: config.IDLE_TIMEOUT_MS,
		// The parser's limit is the last resort: unlike the limits step it can't distinguish a long URL from long headers.
		headerBytesMax: 2 * (config.URL_BYTES_MAX + config.HEADER_BYTES_MAX),
		now,
	};
}
