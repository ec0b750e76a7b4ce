import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually } from '@paddock/testing';
import { type HostName, namespaceOf } from './network.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const rootsPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Logs of the last run. */
export const logDirectory = '/tmp/paddock-hosts-logs';
const readyMsMax = 180_000;

const running = new Set<ChildProcess>();
process.once('exit', () => {
	for (const child of running) child.kill('SIGKILL');
});

export interface HostProcess {
	/** Starts it and waits until it is ready. */
	start(): Promise<void>;
	/** Sends SIGTERM or another signal and waits for the exit. Idempotent. */
	stop(signal?: NodeJS.Signals): Promise<void>;
	/** Stops it and starts it again. */
	restart(): Promise<void>;
}

export interface HostProcessOptions {
	/** The host that it runs on, or the machine itself. */
	readonly host: HostName | undefined;
	readonly name: string;
	readonly command: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly account?: { readonly uid: number; readonly gid: number };
	readonly ready: () => boolean | Promise<boolean>;
}

/** A process in the network namespace of a host. */
export function hostProcess(options: HostProcessOptions): HostProcess {
	const { name, ready, env = {} } = options;
	const inside = options.host === undefined ? [] : ['ip', 'netns', 'exec', namespaceOf(options.host)];
	const { account } = options;
	const as =
		account === undefined
			? []
			: ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
	const [program = '', ...args] = [...inside, ...as, ...options.command];
	let child: ChildProcess | undefined;
	const start = async (): Promise<void> => {
		mkdirSync(logDirectory, { recursive: true });
		const started = spawn(program, args, {
			cwd: root,
			env: { PATH: rootsPath, ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		child = started;
		const log = createWriteStream(`${logDirectory}/${name}.log`, { flags: 'a' });
		started.stdout.pipe(log, { end: false });
		started.stderr.pipe(log, { end: false });
		running.add(started);
		started.once('close', () => {
			running.delete(started);
			log.end();
		});
		await eventually(
			`${name} is ready`,
			async () => {
				if (started.exitCode !== null) throw new Error(`${name} exited; see ${logDirectory}/${name}.log`);
				return await ready();
			},
			readyMsMax,
		);
	};
	const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
		const stopped = child;
		child = undefined;
		if (stopped === undefined || stopped.exitCode !== null || stopped.signalCode !== null) return;
		const exited = once(stopped, 'exit');
		stopped.kill(signal);
		await exited;
	};
	return {
		start,
		stop,
		restart: async () => {
			await stop();
			await start();
		},
	};
}

export async function respondsOk(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false; // Not listening yet; the caller has a deadline.
	}
}
