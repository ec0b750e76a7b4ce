import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { describeWithPrograms } from './describe-with-programs.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

export interface RedisServer {
	readonly port: number;
	/** `redis://127.0.0.1:port`, with the password if there is one. */
	readonly url: string;
	/** SIGKILL; resolves when the process has exited. */
	kill(): Promise<void>;
	/** Starts it again on the same port, without data; resolves when it accepts connections. */
	restart(): Promise<void>;
	/** SIGSTOP: the kernel still accepts connections, but there are no responses. */
	freeze(): void;
	/** SIGCONT. */
	thaw(): void;
	/** Stops the server, frozen or not. Idempotent. */
	stop(): Promise<void>;
}

interface RedisServerOptions {
	readonly password?: string;
	/** Files of a TLS server. */
	readonly certificate?: { readonly certificateFile: string; readonly keyFile: string };
	/** Further arguments. */
	readonly more?: readonly string[];
}

/** A suite that needs a `redis-server` on the PATH. */
export function describeWithRedis(name: string, suite: () => void): void {
	describeWithPrograms(['redis-server'], name, suite);
}

/**
 * Starts a Redis server on 127.0.0.1 that stores nothing on disk, and waits until it accepts connections. `certificate` makes
 * it a TLS server.
 */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
	const port = await freePort();
	let child: ChildProcess | undefined;
	const start = async (): Promise<void> => {
		const started = spawn('redis-server', serverArguments(port, options), { stdio: 'ignore' });
		child = started;
		const killWithUs = () => started.kill('SIGKILL');
		process.once('exit', killWithUs);
		started.once('exit', () => process.off('exit', killWithUs));
		await eventually('redis-server accepts connections', () => accepts(port));
	};
	const kill = async (): Promise<void> => {
		const running = child;
		child = undefined;
		if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
		const exited = once(running, 'exit');
		running.kill('SIGKILL');
		await exited;
	};
	await start();
	const credentials = options.password === undefined ? '' : `:${options.password}@`;
	return {
		port,
		url: `${options.certificate === undefined ? 'redis' : 'rediss'}://${credentials}127.0.0.1:${port}`,
		kill,
		restart: async () => {
			await kill();
			await start();
		},
		freeze: () => child?.kill('SIGSTOP'),
		thaw: () => child?.kill('SIGCONT'),
		stop: kill,
	};
}

function serverArguments(
	port: number,
	{ password, certificate, more = [] }: RedisServerOptions,
): readonly string[] {
	const files =
		certificate === undefined
			? ['--port', String(port)]
			: [
					...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'],
					...['--tls-cert-file', certificate.certificateFile, '--tls-key-file', certificate.keyFile],
					...['--tls-ca-cert-file', certificate.certificateFile],
				];
	return [
		...['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...files],
		...(password === undefined ? [] : ['--requirepass', password]),
		...more,
	];
}

async function accepts(port: number): Promise<boolean> {
	const socket = createConnection(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		// Refused: not listening yet. The caller has a deadline.
		return false;
	} finally {
		socket.destroy();
	}
}
