import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { SentAnswer } from './send-request.ts';
import { type Bench, type BenchGateway, testBench } from './test-bench.ts';

export interface Health {
	readonly status: string;
	readonly components: Record<string, { status: string; [key: string]: unknown }>;
}

interface HealthAnswer<Data> extends Omit<ReturnType<SentAnswer['json']>, 'data'> {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly data: Data;
}

interface GatewayBefore {
	/** The instances of horses-service, a critical context. */
	readonly horses: readonly string[];
	/** The instances of ping-service, an optional one; one that is well unless given. */
	readonly ping?: readonly string[];
	readonly settings?: Record<string, string>;
}

export interface HealthBench extends Pick<Bench, 'upstream'> {
	/** An instance whose `/health` does as told, and how often that was asked. */
	instance(health: RequestListener): Promise<{ url: string; asked: number[] }>;
	/** A gateway in front of these; members-service is well. Each question to an instance may take 300 ms. */
	start(before: GatewayBefore): Promise<{
		gateway: BenchGateway;
		read(path: string): Promise<HealthAnswer<Record<string, unknown>>>;
		health(): Promise<HealthAnswer<Health>>;
	}>;
}

export const says =
	(status: number, body = '{}'): RequestListener =>
	(_req, res) =>
		void res.writeHead(status, { 'Content-Type': 'application/json' }).end(body);

export const hangs: RequestListener = () => undefined;

/** What a test file about health needs in front of and behind a gateway. */
export function healthBench(): HealthBench {
	const bench = testBench();
	const instance: HealthBench['instance'] = async (health) => {
		const asked: number[] = [];
		const server = createServer((req, res) => {
			if (req.url === '/health') asked.push(performance.now());
			health(req, res);
		});
		return { url: await bench.serve(server), asked };
	};
	return {
		upstream: bench.upstream,
		instance,
		start: async ({ horses, ping, settings = {} }) => {
			const well = (await instance(says(200))).url;
			const gateway = await bench.start({
				services: {
					'horses-service': [...horses],
					'members-service': [well],
					'ping-service': [...(ping ?? [well])],
				},
				settings: { HEALTH_TIMEOUT_MS: '300', ...settings },
			});
			const read = async (path: string) => {
				const { status, headers, json } = await gateway.send({ path });
				return { status, headers, ...json() };
			};
			const health = async () => {
				const answer = await read('/actuator/health');
				return { ...answer, data: answer.data as unknown as Health };
			};
			return { gateway, read, health };
		},
	};
}
