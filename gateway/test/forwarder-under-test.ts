import { createHttpProxyForwarder } from '../src/forwarder/http-proxy-forwarder.ts';
import type { OpenGatewayOptions } from '../src/open-gateway.ts';

type Chosen = Pick<OpenGatewayOptions, 'openForwarder'>;

let chosen: Chosen = {};

/** From now on every test gateway of this test file forwards through http-proxy-middleware only. */
export function useHttpProxyForwarder(): void {
	chosen = { openForwarder: createHttpProxyForwarder };
}

/** The forwarder of test gateways: the real choice unless a test file has made its own. */
export function forwarderUnderTest(): Chosen {
	return chosen;
}
