import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import {
	acceptsConnections,
	createTestIdentity,
	freePorts,
	type RecordedRequest,
	recordingUpstream,
	startProgram,
} from '@paddock/testing';
import { type GatewayProcess, startGatewayProcess } from '../../gateway/test/gateway-process.ts';
import { standInAuth } from '../../gateway/test/stand-in-auth.ts';
import { type ProxyName, type ShippedProxy, shippedProxy } from './shipped-proxy.ts';

export interface ProxiedResponse {
	readonly status: number;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
}

export interface GatewaysBehind {
	readonly proxy: ShippedProxy;
	readonly httpPort: number;
	/** A token of a user. */
	readonly token: string;
	/** The requests that the horses service has received so far. */
	received(): readonly RecordedRequest[];
	readonly gateways: GatewayProcess[];
	/** Starts a gateway again on its port. */
	restart(index: number): Promise<void>;
	/** Sends a request to the proxy; resolves at the headers. */
	open(options: RequestOptions, body?: string): Promise<IncomingMessage>;
	send(options: RequestOptions, body?: string): Promise<ProxiedResponse>;
	close(): Promise<void>;
}

/** A shipped proxy in front of two gateways as processes, in front of one stand-in for the horses service. */
export async function gatewaysBehind(
	name: ProxyName,
	respond: Parameters<typeof recordingUpstream>[0],
): Promise<GatewaysBehind> {
	const [first = 0, second = 0, httpPort = 0, httpsPort = 0] = await freePorts(4);
	const ports = [first, second];
	const identity = await createTestIdentity();
	const auth = await standInAuth(identity.jwks);
	const horses = await recordingUpstream(respond);
	const start = (port: number): Promise<GatewayProcess> =>
		startGatewayProcess({
			PORT: String(port),
			CONTEXTS: 'auth,horses',
			SERVICE_INSTANCES: `auth-service=${auth.url},horses-service=${horses.url}`,
			TRUSTED_PROXIES: '127.0.0.1',
			DRAIN_MS: '1000',
			RATE_LIMIT_USER: '0',
			RATE_LIMIT_ANONYMOUS: '0',
		});
	const gateways = await Promise.all(ports.map(start));
	const proxy = await shippedProxy(name, {
		host: '127.0.0.1',
		httpPort,
		httpsPort,
		gateways: [`127.0.0.1:${first}`, `127.0.0.1:${second}`],
	});
	const { command } = proxy;
	const program = await startProgram({ command, ready: () => acceptsConnections(httpsPort) });
	const open = (options: RequestOptions, body?: string): Promise<IncomingMessage> =>
		new Promise((resolve, reject) => {
			request(
				{
					host: '127.0.0.1',
					port: httpsPort,
					ca: proxy.certificate,
					servername: 'localhost',
					agent: false,
					...options,
				},
				resolve,
			)
				.once('error', reject)
				.end(body);
		});
	return {
		proxy,
		httpPort,
		token: identity.sign(),
		received: () => horses.requests,
		gateways,
		restart: async (index) => {
			gateways[index] = await start(ports[index] ?? 0);
		},
		open,
		send: async (options, body) => {
			const response = await open(options, body);
			const { statusCode: status = 0, headers } = response;
			return { status, headers, body: (await response.setEncoding('utf8').toArray()).join('') };
		},
		close: async () => {
			await program.stop();
			for (const gateway of gateways) gateway.child.kill('SIGKILL');
			await Promise.all([auth.close(), horses.close()]);
			await proxy.remove();
		},
	};
}
