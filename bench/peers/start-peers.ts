import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../libs/testing/src/free-port.ts';
import type { Bench, Target } from '../gateway/targets.ts';
import { startChild } from '../measure/child.ts';
import {
	caddyConfig,
	envoyConfig,
	krakendConfig,
	type PeerSettings,
	pemOf,
	springArguments,
	traefikArguments,
	traefikConfig,
} from './configurations.ts';

interface Peer {
	readonly name: string;
	/** What it does per request beside proxying. */
	readonly work: string;
	/** The content of its configuration file. */
	readonly config?: (settings: PeerSettings) => string;
	/** `program` as installed by `bench/peers/install`. */
	readonly command: (program: string, file: string, settings: PeerSettings) => readonly string[];
}

export const peers: readonly Peer[] = [
	{
		name: 'envoy',
		work: 'cached tokens, outlier detection, retry budget, metrics, log',
		config: envoyConfig,
		command: (program, file) => [program, '-c', file, '--concurrency', '1', '--disable-hot-restart'],
	},
	{
		name: 'krakend',
		work: 'verifies tokens, circuit breaker, log',
		config: krakendConfig,
		command: (program, file) => [program, 'run', '-c', file],
	},
	{
		name: 'traefik',
		work: 'no tokens, circuit breaker, retry, metrics, log',
		config: traefikConfig,
		command: (program, file, settings) => [program, ...traefikArguments(settings, file)],
	},
	{
		name: 'caddy',
		work: 'no tokens, passive health checks, metrics, log',
		config: caddyConfig,
		command: (program, file) => [program, 'run', '--config', file],
	},
	{
		name: 'spring-cloud-gateway',
		work: 'verifies tokens, circuit breaker, metrics',
		command: (program, _file, settings) => [
			'java',
			'-Xmx512m',
			'-jar',
			program,
			...springArguments(settings),
		],
	},
];

const { XDG_CACHE_HOME: cache = join(homedir(), '.cache') } = process.env;
const programs = join(cache, 'paddock', 'peers', 'bin');

/** Starts the peers that are installed. @returns them, and the names of the others */
export async function startPeers(bench: Bench): Promise<{ targets: Target[]; missing: string[] }> {
	const directory = await mkdtemp(join(tmpdir(), 'bench-peers-'));
	// Some watch their files.
	process.once('exit', () => rmSync(directory, { recursive: true }));
	const [jwksFile, keyFile] = [join(directory, 'jwks.json'), join(directory, 'key.pem')];
	await writeFile(jwksFile, bench.jwks);
	await writeFile(keyFile, pemOf(bench.jwks));
	const targets: Target[] = [];
	const missing: string[] = [];
	for (const { name, config, command } of peers) {
		const program = join(programs, name);
		if (!existsSync(program)) {
			missing.push(name);
			continue;
		}
		const port = await freePort();
		const upstreamPort = Number(new URL(bench.upstream.origin).port);
		const settings = { port, upstreamPort, jwks: bench.jwks, jwksFile, keyFile };
		const file = join(directory, `${name}.json`);
		if (config !== undefined) await writeFile(file, config(settings));
		const measured = bench.cores.measured(command(program, file, settings));
		const child = await startChild({ command: measured, port, env: { HOME: directory } });
		targets.push({ name, origin: `http://127.0.0.1:${port}`, ...child });
	}
	return { targets, missing };
}
