import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
