import { describeWithPrograms } from './describe-with-programs.ts';
import { freePort } from './free-port.ts';
import { type Program, startProgram } from './program.ts';
import { acceptsConnections } from './readiness.ts';

/** A server whose data is lost when it stops. */
export interface RedisServer extends Program {
	readonly port: number;
	/** `redis://127.0.0.1:port`, with the password if there is one. */
	readonly url: string;
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
	const program = await startProgram({
		command: ['redis-server', ...serverArguments(port, options)],
		ready: () => acceptsConnections(port),
	});
	const credentials = options.password === undefined ? '' : `:${options.password}@`;
	const scheme = options.certificate === undefined ? 'redis' : 'rediss';
	return Object.assign(program, { port, url: `${scheme}://${credentials}127.0.0.1:${port}` });
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
