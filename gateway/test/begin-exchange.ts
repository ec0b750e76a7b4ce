import { noTracing } from '@paddock/telemetry';
import { securityHeaders } from '../src/edge/security-headers.ts';
import { createExchange } from '../src/exchange/exchange.ts';

/** Begins the exchanges of requests from this machine, without traces. */
export const beginExchange = createExchange({
	clientOf: () => ({ address: '127.0.0.1', protocol: 'http', host: undefined }),
	isSelf: () => false,
	tracing: noTracing,
	quietPrefix: '/actuator/',
	headers: securityHeaders,
});
