import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConsulAgent, consulAgent, consulPorts, hasLeader } from './consul-agent.ts';
import { freePorts } from './free-port.ts';
import { startProgram } from './program.ts';

interface ConsulServer extends ConsulAgent {
	/** The name of its node. */
	readonly name: string;
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
	const starting = plan.map(async ({ name, http, ...others }): Promise<ConsulServer> => {
		const program = await startProgram({
			command: [
				...consulAgent,
				...['-server', '-bootstrap-expect=3', '-node', name, '-data-dir', join(directory, name)],
				...consulPorts({ http, ...others }),
				...['-retry-interval', '1s', ...joined],
				// A short election, as in development mode.
				...['-hcl', 'performance { raft_multiplier = 1 }'],
			],
			ready: () => hasLeader(http),
		});
		return Object.assign(program, { name, address: `127.0.0.1:${http}`, port: http });
	});
	const stop = async (): Promise<void> => {
		for (const started of await Promise.allSettled(starting))
			if (started.status === 'fulfilled') await started.value.kill();
		await rm(directory, { recursive: true, force: true });
	};
	try {
		return { servers: await Promise.all(starting), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
