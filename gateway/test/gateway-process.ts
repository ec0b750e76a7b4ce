import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@paddock/testing';

export interface GatewayProcess {
	/** Undefined if the process exited before it listened. */
	readonly port: number | undefined;
	readonly child: ChildProcess;
	/** The output so far; the log is on stdout. */
	stdout(): string;
	stderr(): string;
	/** Sends SIGTERM and resolves with the exit code. */
	stop(): Promise<number | null>;
}

/** Starts the gateway as a process configured by its environment, as in a deployment. */
export async function startGatewayProcess(settings: Record<string, string>): Promise<GatewayProcess> {
	const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
	const child = spawn(process.execPath, ['--trace-warnings', main], {
		env: {
			PATH: process.env['PATH'],
			NODE_ENV: 'test',
			...compileCache,
			DISCOVERY: 'static',
			DRAIN_MS: '0',
			PORT: '0',
			// Tests share the machine; only tests of load shedding set this.
			EVENT_LOOP_DELAY_MAX_MS: '60000',
			...settings,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let stdout = '';
	let stderr = '';
	const exited = once(child, 'exit').then(([code]) => code as number | null);
	child.stderr.on('data', (data) => {
		stderr += String(data);
	});
	const port = await new Promise<number | undefined>((resolve) => {
		child.stdout.on('data', (data) => {
			stdout += String(data);
			const listening = /"message":"listening".*?"port":(\d+)/.exec(stdout)?.[1];
			if (listening !== undefined) resolve(Number(listening));
		});
		child.once('close', () => resolve(undefined));
	});
	return {
		port,
		child,
		stdout: () => stdout,
		stderr: () => stderr,
		stop: async () => {
			child.kill('SIGTERM');
			return exited;
		},
	};
}

export interface Received {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
	/** The client's port. */
	readonly connection: number | undefined;
}

interface Sent {
	readonly method?: string;
	readonly body?: object;
	readonly token?: string;
	/** By default a connection of its own, so that requests reach all workers. */
	readonly agent?: Agent;
}

export function sendTo(
	{ port }: GatewayProcess,
	path: string,
	{ method = 'GET', body, token, agent }: Sent = {},
): Promise<Received> {
	const headers = {
		...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
		...(body === undefined ? {} : { 'content-type': 'application/json' }),
	};
	return new Promise((resolve, reject) => {
		const options = { host: '127.0.0.1', port, path, method, headers, agent: agent ?? false };
		const sent = request(options, (res) => {
			const { statusCode: status = 0, headers, socket } = res;
			const connection = socket.localPort;
			let text = '';
			res.setEncoding('utf8').on('data', (part: string) => {
				text += part;
			});
			res.on('error', reject).on('end', () => resolve({ status, headers, text, connection }));
		});
		sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
	});
}
