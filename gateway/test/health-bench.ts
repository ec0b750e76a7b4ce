import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { ReceivedResponse } from './send-request.ts';
import { type Bench, type BenchGateway, testBench } from './test-bench.ts';

interface Health {
	readonly status: string;
	readonly components: Record<string, { status: string; [key: string]: unknown }>;
}

interface HealthResponse<Data> extends Omit<ReturnType<ReceivedResponse['json']>, 'data'> {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly data: Data;
}

interface GatewayBefore {
	/** The instances of horses-service, a critical context. */
	readonly horses: readonly string[];
	/** The instances of ping-service, an optional context; by default one healthy instance. */
	readonly ping?: readonly string[];
	readonly settings?: Record<string, string>;
}

export interface HealthBench extends Pick<Bench, 'upstream'> {
	/** An instance with this `/health` handler, and the times of its probes. */
	instance(health: RequestListener): Promise<{ url: string; probes: number[] }>;
	/**
	 * A gateway in front of these instances; members-service is healthy. A probe times out after 10 s, which no healthy instance
	 * takes on a busy machine; a test of one that hangs sets less.
	 */
	start(before: GatewayBefore): Promise<{
		gateway: BenchGateway;
		read(path: string): Promise<HealthResponse<Record<string, unknown>>>;
		health(): Promise<HealthResponse<Health>>;
	}>;
}

export const respondsWith =
	(status: number, body = '{}'): RequestListener =>
	(_req, res) =>
		void res.writeHead(status, { 'Content-Type': 'application/json' }).end(body);

export const hangs: RequestListener = () => undefined;

/** A test bench for health: instances and a gateway with readers for its health pages. */
export function healthBench(): HealthBench {
	const bench = testBench();
	const instance: HealthBench['instance'] = async (health) => {
		const probes: number[] = [];
		const server = createServer((req, res) => {
			if (req.url === '/health') probes.push(performance.now());
			health(req, res);
		});
		return { url: await bench.serve(server), probes };
	};
	return {
		upstream: bench.upstream,
		instance,
		start: async ({ horses, ping, settings = {} }) => {
			const healthy = (await instance(respondsWith(200))).url;
			const gateway = await bench.start({
				services: {
					'horses-service': [...horses],
					'members-service': [healthy],
					'ping-service': [...(ping ?? [healthy])],
				},
				settings: { HEALTH_TIMEOUT_MS: '10000', ...settings },
			});
			const read = async (path: string) => {
				const { status, headers, json } = await gateway.send({ path });
				return { status, headers, ...json() };
			};
			const health = async () => {
				const response = await read('/actuator/health');
				return { ...response, data: response.data as unknown as Health };
			};
			return { gateway, read, health };
		},
	};
}
