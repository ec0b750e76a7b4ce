import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePorts } from './free-port.ts';
import { nodeProcess } from './node-process.ts';

const readyMsMax = 20_000;

export interface ConsulAgent {
	/** `127.0.0.1:port`, as CONSUL_HTTP_ADDR takes it. */
	readonly address: string;
	readonly port: number;
	/** Of the running process; another one after `restartEmpty()`. Undefined while it is killed. */
	readonly pid: number | undefined;
	/** SIGKILL; resolves when the process is gone. */
	kill(): Promise<void>;
	/** Kills it if it runs and starts it on the same ports without any of its data; resolves when it is ready. */
	restartEmpty(): Promise<void>;
	/** SIGSTOP: connections are still accepted by the kernel, but nothing is answered. */
	freeze(): void;
	/** SIGCONT. */
	thaw(): void;
	/** Ends it, frozen or not. May be called again. */
	stop(): Promise<void>;
}

/**
 * A real Consul agent of its own in development mode (one server, all data in memory) on 127.0.0.1, ready: a leader is
 * elected and the catalogue answers. `port` is the one of the HTTP API, a free one where it is absent; DNS, gRPC and
 * the WAN are off. Throws where there is no `consul` on the PATH or it doesn't get ready.
 */
export async function startConsulAgent(options: { port?: number } = {}): Promise<ConsulAgent> {
	const [freeHttp = 0, serf = 0, server = 0] = await freePorts(3);
	const port = options.port ?? freeHttp;
	let child: ChildProcess | undefined;

	async function start(): Promise<void> {
		const started = spawn('consul', agentArguments({ http: port, serf, server }), {
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		child = started;
		const killWithUs = () => started.kill('SIGKILL');
		nodeProcess.once('exit', killWithUs);
		started.once('exit', () => nodeProcess.off('exit', killWithUs));
		await ready(started, port);
	}

	async function kill(): Promise<void> {
		const running = child;
		child = undefined;
		if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
		const gone = once(running, 'exit');
		running.kill('SIGKILL');
		await gone;
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
		// Two agents on one machine must not take the same node id from the hardware.
		'-disable-host-node-id',
		...['-hcl', 'disable_update_check = true'],
	];
}

/** Resolves when the agent has a leader and lists its own service; throws with what it printed otherwise. */
async function ready(child: ChildProcess, port: number): Promise<void> {
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
		if (child.exitCode !== null) throw new Error(`consul ended with ${child.exitCode}:\n${output}`);
		if (await answers(port)) return;
		await wait(50);
	}
	child.kill('SIGKILL');
	throw new Error(`consul was not ready after ${readyMsMax} ms:\n${output}`);
}

async function answers(port: number): Promise<boolean> {
	try {
		const url = `http://127.0.0.1:${port}/v1/health/service/consul?passing=1`;
		const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
		const body: unknown = response.ok ? await response.json() : [];
		return Array.isArray(body) && body.length > 0;
	} catch {
		// Refused or "no cluster leader": not yet. The caller's deadline says when that is a failure.
		return false;
	}
}
