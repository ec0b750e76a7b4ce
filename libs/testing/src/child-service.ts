import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';
import { type Program, type ProgramOptions, startProgram } from './program.ts';
import { respondsOk } from './readiness.ts';
import type { TestCertificate } from './test-authority.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface ChildService extends Program {
	readonly url: string;
	readonly port: number;
}

export interface ChildServiceOptions extends Pick<ProgramOptions, 'readyLater'> {
	/** From the project's root, e.g. `services/ping/src/main.ts`. */
	main: string;
	port: number;
	/** The environment; only PATH is inherited. */
	env: Record<string, string>;
	/** A path that returns 200 when the process is ready. */
	readyPath: string;
	/** The program and the words before `main`; by default the Node.js of the tests. */
	command?: ProgramOptions['command'];
	/** Whether the port requires TLS, with the files of TLS_* in `env`. */
	secure?: boolean;
}

/** Starts a gateway or service as a process, as in a deployment. */
export async function startChildService(options: ChildServiceOptions): Promise<ChildService> {
	const { main, port, env, readyLater = false, command = [process.execPath] } = options;
	const { TLS_CERT: cert = '', TLS_KEY: key = '', TLS_CA: ca = '' } = env;
	const tls = options.secure === true ? { cert, key, ca } : undefined;
	const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
	const readyUrl = `${url}${options.readyPath}`;
	const { PATH = '' } = process.env;
	const program = await startProgram({
		command: [...command, main],
		cwd: root,
		env: { PATH, ...compileCache, NODE_ENV: 'test', PORT: String(port), ...env },
		ipc: true,
		ready: () => (tls === undefined ? respondsOk(readyUrl) : respondsOkSecurely(readyUrl, tls)),
		readyMsMax: 120_000,
		readyLater,
	});
	return Object.assign(program, { url, port });
}

function respondsOkSecurely(url: string, { cert, key, ca }: TestCertificate): Promise<boolean> {
	const files = { cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca) };
	return new Promise((resolve) => {
		const request = get(
			url,
			{ ...files, checkServerIdentity: () => undefined, timeout: 1_000 },
			(response) => {
				response.resume();
				resolve(response.statusCode === 200);
			},
		);
		request.once('error', () => resolve(false)).once('timeout', () => request.destroy());
	});
}
