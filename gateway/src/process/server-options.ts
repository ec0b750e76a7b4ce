import type { GatewayConfig } from '../config/config.ts';
import { refusalLog } from '../edge/access-log.ts';
import type { PipelineDeps } from './open-pipeline.ts';

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

/** With the log and the metrics of requests that the HTTP parser refuses, for a server that clients reach. */
export function clientServerOptions({
	config,
	now,
	accessLines: lines,
	operations: { metrics },
}: PipelineDeps) {
	return { ...serverOptions(config, now), onRefused: refusalLog({ lines, metrics }) };
}
