import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ready } from './consul-agent.ts';
import { freePorts } from './free-port.ts';

export interface ConsulServer {
	/** The name of its node. */
	readonly name: string;
	/** `127.0.0.1:port`, for CONSUL_HTTP_ADDR. */
	readonly address: string;
	readonly port: number;
	/** SIGKILL; resolves when the process has exited. */
	kill(): Promise<void>;
}

export interface ConsulCluster {
	readonly servers: readonly ConsulServer[];
	stop(): Promise<void>;
}

/**
 * Starts three Consul servers on 127.0.0.1 that form one cluster, and waits until all have a leader.
 * @throws if there is no `consul` on the PATH or a server doesn't become ready
 */
export async function startConsulCluster(): Promise<ConsulCluster> {
	const directory = await mkdtemp(join(tmpdir(), 'consul-cluster-'));
	const ports = await freePorts(9);
	const plan = [0, 3, 6].map((at) => {
		const [http = 0, serf = 0, server = 0] = ports.slice(at, at + 3);
		return { name: `server-${at / 3 + 1}`, http, serf, server };
	});
	const joined = plan.flatMap(({ serf }) => ['-retry-join', `127.0.0.1:${serf}`]);
	const running = plan.map((each) => {
		const child = spawn('consul', [...serverArguments(directory, each), ...joined], {
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const killWithUs = () => child.kill('SIGKILL');
		process.once('exit', killWithUs);
		child.once('exit', () => process.off('exit', killWithUs));
		return { ...each, child };
	});
	const stop = async (): Promise<void> => {
		await Promise.all(running.map(({ child }) => kill(child)));
		await rm(directory, { recursive: true, force: true });
	};
	try {
		await Promise.all(running.map(({ child, http }) => ready(child, http)));
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		servers: running.map(({ name, http, child }) => ({
			name,
			address: `127.0.0.1:${http}`,
			port: http,
			kill: () => kill(child),
		})),
		stop,
	};
}

interface ServerPlan {
	readonly name: string;
	readonly http: number;
	readonly serf: number;
	readonly server: number;
}

function serverArguments(directory: string, { name, http, serf, server }: ServerPlan): string[] {
	return [
		...['agent', '-server', '-bootstrap-expect=3', '-node', name, '-data-dir', join(directory, name)],
		...['-bind', '127.0.0.1', '-client', '127.0.0.1', '-log-level', 'warn', '-retry-interval', '1s'],
		...['-http-port', String(http), '-server-port', String(server), '-serf-lan-port', String(serf)],
		...['-serf-wan-port', '-1', '-dns-port', '-1', '-grpc-port', '-1', '-disable-host-node-id'],
		// A short election, as in development mode.
		...['-hcl', 'disable_update_check = true performance { raft_multiplier = 1 }'],
	];
}

async function kill(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	child.kill('SIGKILL');
	await exited;
}
