import { freePorts } from './free-port.ts';
import { type Program, startProgram } from './program.ts';

/** A server whose data is lost when it stops. */
export interface ConsulAgent extends Program {
	/** `127.0.0.1:port`, for CONSUL_HTTP_ADDR. */
	readonly address: string;
	readonly port: number;
}

interface ConsulAgentOptions {
	readonly port?: number;
	/** Further configuration in HCL. */
	readonly configuration?: string;
	/** The token that may read, if the configuration denies that to others. */
	readonly token?: string;
}

/**
 * Starts a Consul agent in development mode (one server, data in memory) on 127.0.0.1 and waits until it has a leader and
 * lists services. `port` is that of the HTTP API, by default a free one; DNS, gRPC and the WAN are off.
 * @throws if there is no `consul` on the PATH or it doesn't become ready
 */
export async function startConsulAgent(options: ConsulAgentOptions = {}): Promise<ConsulAgent> {
	const [freeHttp = 0, serf = 0, server = 0] = await freePorts(3);
	const { port = freeHttp, configuration = '', token } = options;
	const program = await startProgram({
		command: [...consulAgent, '-dev', ...consulPorts({ http: port, serf, server }), '-hcl', configuration],
		ready: () => hasLeader(port, token),
	});
	return Object.assign(program, { address: `127.0.0.1:${port}`, port });
}

export const consulAgent = [
	...(['consul', 'agent', '-bind', '127.0.0.1', '-client', '127.0.0.1', '-log-level', 'warn'] as const),
	// Agents on one machine must not derive the same node id from the hardware.
	...['-disable-host-node-id', '-hcl', 'disable_update_check = true'],
] as const;

export function consulPorts(ports: { http: number; serf: number; server: number }): string[] {
	return [
		...['-http-port', String(ports.http), '-server-port', String(ports.server)],
		...['-serf-lan-port', String(ports.serf), '-serf-wan-port', '-1', '-dns-port', '-1', '-grpc-port', '-1'],
	];
}

/** Whether the agent has a leader and lists its own service. */
export async function hasLeader(port: number, token = ''): Promise<boolean> {
	try {
		const url = `http://127.0.0.1:${port}/v1/health/service/consul?passing=1`;
		const headers = token === '' ? {} : { 'x-consul-token': token };
		const response = await fetch(url, { headers, signal: AbortSignal.timeout(1_000) });
		const body: unknown = response.ok ? await response.json() : [];
		return Array.isArray(body) && body.length > 0;
	} catch {
		// Connection refused or "no cluster leader": not ready yet. The caller has a deadline.
		return false;
	}
}
