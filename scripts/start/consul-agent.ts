import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { describeExit, spawnTethered } from '@paddock/database/embedded';
import type { Running } from './keep-running.ts';
import { closeLog, openLog } from './log-files.ts';
import { waitForStart } from './wait-until-ready.ts';

interface ConsulPorts {
	http: number;
	server: number;
	serf: number;
}

const readyWithinMs = 20_000;
const killAfterMs = 5_000;

/** Three free ports for an agent. A restart uses the same ones, as the services are configured with the first. */
export async function chooseConsulPorts(): Promise<ConsulPorts> {
	const servers = [createServer(), createServer(), createServer()];
	try {
		const ports: number[] = [];
		for (const server of servers) {
			server.listen(0, '127.0.0.1');
			await once(server, 'listening');
			const address = server.address();
			ports.push(typeof address === 'object' && address !== null ? address.port : 0);
		}
		const [http = 0, server = 0, serf = 0] = ports;
		return { http, server, serf };
	} finally {
		for (const server of servers) server.close();
	}
}

/** Starts a Consul agent in development mode, all in memory, on 127.0.0.1. @throws StartError if it is not ready in time */
export async function startConsulAgent(
	options: {
		program: string;
		ports: ConsulPorts;
		logFile: string;
		directory: string;
		path: string;
		/** The settings TLS_*, for the health checks. */
		tls: Readonly<Record<string, string | undefined>>;
		report: (line: string) => void;
	},
	signal: AbortSignal,
): Promise<Running> {
	const { ports } = options;
	const output = openLog(options.logFile, options.report);
	const agent = spawnTethered(options.program, [...agentArguments(ports), ...tlsArguments(options.tls)], {
		stopSignal: 'TERM',
		cwd: options.directory,
		env: { PATH: options.path },
		output,
	});
	closeLog(output);
	const running: Running = {
		exited: agent.exited.then(describeExit),
		stop: async () => {
			await agent.stop(killAfterMs);
		},
	};
	const seeLog = `see ${options.logFile}`;
	const starting = {
		// Returns 200 only once there is a leader, unlike the agent's own endpoints.
		readyUrl: `http://127.0.0.1:${ports.http}/v1/catalog/services`,
		withinMs: readyWithinMs,
		exitedEarly: (reason: string) => `consul did not start (${reason}); ${seeLog}`,
		late: `consul had no leader within ${readyWithinMs / 1000} s; ${seeLog}`,
	};
	await waitForStart(running, starting, signal);
	return running;
}

function agentArguments(ports: ConsulPorts): string[] {
	return [
		...['agent', '-dev', '-bind', '127.0.0.1', '-client', '127.0.0.1', '-log-level', 'warn'],
		...['-http-port', String(ports.http), '-server-port', String(ports.server)],
		...['-serf-lan-port', String(ports.serf), '-serf-wan-port', '-1', '-dns-port', '-1', '-grpc-port', '-1'],
		// Two agents on one machine must not derive the same node id from the hardware.
		'-disable-host-node-id',
		...['-hcl', 'disable_update_check = true'],
	];
}

/** The agent's health checks present the certificate of the services. */
function tlsArguments({ TLS_CERT, TLS_KEY, TLS_CA }: Readonly<Record<string, string | undefined>>): string[] {
	if (!TLS_CERT || !TLS_KEY || !TLS_CA) return [];
	const files = { cert_file: TLS_CERT, key_file: TLS_KEY, ca_file: TLS_CA };
	const lines = Object.entries(files).map(([name, path]) => `${name} = ${JSON.stringify(resolve(path))}`);
	return ['-hcl', ['enable_agent_tls_for_checks = true', ...lines].join('\n')];
}
