import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePorts } from './free-port.ts';

const readyMsMax = 20_000;

export interface ConsulAgent {
	/** `127.0.0.1:port`, for CONSUL_HTTP_ADDR. */
	readonly address: string;
	readonly port: number;
	/** Changes with `restartEmpty()`; undefined if the agent isn't running. */
	readonly pid: number | undefined;
	/** SIGKILL; resolves when the process has exited. */
	kill(): Promise<void>;
	/** Restarts the agent on the same ports without data; resolves when it is ready. */
	restartEmpty(): Promise<void>;
	/** SIGSTOP: the kernel still accepts connections, but there are no responses. */
	freeze(): void;
	/** SIGCONT. */
	thaw(): void;
	/** Stops the agent, frozen or not. Idempotent. */
	stop(): Promise<void>;
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
	const port = options.port ?? freeHttp;
	let child: ChildProcess | undefined;

	async function start(): Promise<void> {
		const { configuration = '', token } = options;
		const started = spawn(
			'consul',
			[...agentArguments({ http: port, serf, server }), '-hcl', configuration],
			{
				stdio: ['ignore', 'pipe', 'pipe'],
			},
		);
		child = started;
		const killWithUs = () => started.kill('SIGKILL');
		process.once('exit', killWithUs);
		started.once('exit', () => process.off('exit', killWithUs));
		await ready(started, port, token);
	}

	async function kill(): Promise<void> {
		const running = child;
		child = undefined;
		if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
		const exited = once(running, 'exit');
		running.kill('SIGKILL');
		await exited;
	}

	await start();
	return {
		address: `127.0.0.1:${port}`,
		port,
		get pid() {
			return child?.pid;
		},
		kill,
		restartEmpty: async () => {
			await kill();
			await start();
		},
		freeze: () => child?.kill('SIGSTOP'),
		thaw: () => child?.kill('SIGCONT'),
		stop: kill,
	};
}

function agentArguments(ports: { http: number; serf: number; server: number }): string[] {
	return [
		...['agent', '-dev', '-bind', '127.0.0.1', '-client', '127.0.0.1', '-log-level', 'warn'],
		...['-http-port', String(ports.http), '-server-port', String(ports.server)],
		...['-serf-lan-port', String(ports.serf), '-serf-wan-port', '-1', '-dns-port', '-1', '-grpc-port', '-1'],
		// Agents on one machine must not derive the same node id from the hardware.
		'-disable-host-node-id',
		...['-hcl', 'disable_update_check = true'],
	];
}

/** Resolves when the agent has a leader and lists its own service. @throws Error with the agent's output */
export async function ready(child: ChildProcess, port: number, token = ''): Promise<void> {
	let output = '';
	let failure: Error | undefined;
	const collect = (chunk: Buffer) => {
		output = `${output}${chunk.toString()}`.slice(-10_000);
	};
	child.stdout?.on('data', collect);
	child.stderr?.on('data', collect);
	child.once('error', (error) => {
		failure = error;
	});
	const deadlineMs = performance.now() + readyMsMax;
	while (performance.now() < deadlineMs) {
		if (failure !== undefined) throw new Error('consul could not be started', { cause: failure });
		if (child.exitCode !== null) throw new Error(`consul exited with ${child.exitCode}:\n${output}`);
		if (await isReady(port, token)) return;
		await wait(50);
	}
	child.kill('SIGKILL');
	throw new Error(`consul was not ready after ${readyMsMax} ms:\n${output}`);
}

async function isReady(port: number, token: string): Promise<boolean> {
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
