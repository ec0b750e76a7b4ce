import { openHttpProxyForwarder } from '../src/forwarder/http-proxy-forwarder.ts';
import type { OpenGatewayOptions } from '../src/process/open-gateway.ts';

type Chosen = Pick<OpenGatewayOptions, 'openForwarder'>;

let chosen: Chosen = {};

/** Makes all later test gateways of this file forward through http-proxy-middleware only. */
export function useHttpProxyForwarder(): void {
	chosen = { openForwarder: openHttpProxyForwarder };
}

/** The forwarder of test gateways: the real one, unless the test file has set another. */
export function forwarderUnderTest(): Chosen {
	return chosen;
}
