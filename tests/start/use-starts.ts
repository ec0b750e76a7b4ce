import { afterEach, beforeEach } from '@jest/globals';
import { cheapHashes } from '../../services/auth/test/password-hashes.ts';
import { expectExited, freeBasePort, makeDataDir, type StartAttempt, startSystem } from './started-system.ts';

/** For tests of the processes' lifecycle: fewer contexts start faster. */
export const fewContexts = { CONTEXTS: 'auth,ping' };
/** Without a database. */
export const onlyPing = { CONTEXTS: 'ping' };

export interface Starts {
	/** Starts the system with the test's data and ports; `env` overrides settings. */
	start(env?: Record<string, string>, options?: { readonly output?: number }): StartAttempt;
	dataDir(): string;
	port(): number;
	/** The status of a POST to the gateway. */
	post(path: string, body: unknown): Promise<number>;
	health(): Promise<{ code: number; status: string }>;
}

/** Gives each test of the file a data directory and a block of ports, and stops the systems that it started. */
export function useStarts(path: string): Starts {
	let data: Awaited<ReturnType<typeof makeDataDir>>;
	let port: number;
	let started: StartAttempt[];

	beforeEach(async () => {
		data = await makeDataDir();
		port = await freeBasePort();
		started = [];
	});

	afterEach(async () => {
		for (const system of started) {
			const pids = system.tree();
			await system.end('SIGTERM');
			await expectExited(pids, 'the processes of the test have exited');
		}
		await data.remove();
	});

	return {
		start: (env = {}, options = {}) => {
			const base = { PATH: path, DATA_DIR: data.path, PORT: String(port), DISCOVERY: 'static' };
			// No client needs the gateway's drain time, a second at each stop.
			const system = startSystem({ ...base, ...cheapHashes, DRAIN_MS: '0', ...env }, options);
			started.push(system);
			return system;
		},
		dataDir: () => data.path,
		port: () => port,
		post: async (address, body) => {
			const response = await fetch(`http://127.0.0.1:${port}${address}`, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify(body),
			});
			await response.arrayBuffer();
			return response.status;
		},
		health: async () => {
			// Before the gateway listens, the connection is refused.
			const response = await fetch(`http://127.0.0.1:${port}/actuator/health`).catch(() => undefined);
			if (!response) return { code: 0, status: 'unreachable' };
			const { data: view } = (await response.json()) as { data: { status: string } };
			return { code: response.status, status: view.status };
		},
	};
}
