import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTokenSigner, generateSigningKey } from '@paddock/identity';
import { freePort } from '../../libs/testing/src/free-port.ts';
import { startChild } from '../measure/child.ts';
import { type Cores, isInstalled } from '../measure/cores.ts';
import { haproxyConfig, nginxConfig } from './plain-proxies.ts';

/** A server whose throughput and CPU time are measured. */
export interface Target {
	readonly name: string;
	readonly origin: string;
	readonly pid: number;
	/** Stops the process with SIGSTOP, or continues it. */
	setPaused(isPaused: boolean): void;
	stop(): Promise<void>;
}

/** The upstream of all targets, and the signer of the tokens that they accept. */
export interface Bench {
	readonly cores: Cores;
	readonly upstream: Target;
	readonly jwks: string;
	/** Signs tokens of different users, valid for some minutes. */
	tokens(count: number): readonly string[];
	stop(): Promise<void>;
}

/** @throws Error without wrk, which all benchmarks of the gateway use */
export async function openBench(cores: Cores): Promise<Bench> {
	if (!isInstalled('wrk')) throw new Error('wrk is not installed; on Debian: apt install wrk');
	const { jwks, sign } = await createBenchTokens();
	const port = await freePort();
	const child = await startChild({
		command: [process.execPath, 'bench/gateway/benchmark-upstream.ts'],
		env: { PORT: String(port), JWKS: jwks },
		port,
		readyPath: '/health',
	});
	return {
		cores,
		// Never paused: all targets need it.
		upstream: { name: 'direct', origin: `http://127.0.0.1:${port}`, ...child, setPaused: () => {} },
		jwks,
		tokens: sign,
		stop: () => child.stop(),
	};
}

const gatewayPackage = new URL('../../gateway/package.json', import.meta.url);

/** Far above the measured rates: requests are counted but never refused. */
const unreachableRate = '1000000';

export interface GatewayTargetOptions {
	readonly name?: string;
	/** Instances of horses-service: the same upstream under different addresses. */
	readonly instances?: number;
	readonly settings?: Readonly<Record<string, string>>;
	/** Flags of Node.js in addition to the deployed ones. */
	readonly flags?: readonly string[];
}

/** The Node.js flags of the gateway's start script. */
function deployedFlags(): readonly string[] {
	const { scripts } = JSON.parse(readFileSync(gatewayPackage, 'utf8')) as { scripts: { start: string } };
	return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

/** The gateway as deployed, with all features enabled. */
export async function startGateway(bench: Bench, options: GatewayTargetOptions = {}): Promise<Target> {
	const { name = 'gateway', settings = {}, flags = [] } = options;
	const port = await freePort();
	const child = await startChild({
		command: bench.cores.measured([process.execPath, ...deployedFlags(), ...flags, 'gateway/src/main.ts']),
		env: { ...gatewaySettings(bench, options), PORT: String(port), ...settings },
		port,
		readyPath,
	});
	return { name, origin: `http://127.0.0.1:${port}`, ...child };
}

/**
 * Two gateways in one process, the second one with these settings of OpenTelemetry: processes differ by more than the cost of
 * traces, since the compiler optimises each in its own way.
 */
export async function startGatewayPair(
	bench: Bench,
	names: readonly [string, string],
	settings: Readonly<Record<string, string>>,
): Promise<Target[]> {
	const ports = [await freePort(), await freePort()] as const;
	const child = await startChild({
		command: bench.cores.measured([process.execPath, ...deployedFlags(), 'bench/gateway/gateway-pair.ts']),
		env: { ...gatewaySettings(bench), PORT: String(ports[0]), TWIN_PORT: String(ports[1]), ...settings },
		port: ports[0],
		readyPath,
	});
	return names.map((name, at) => ({ name, origin: `http://127.0.0.1:${ports[at]}`, ...child }));
}

const readyPath = '/actuator/health/readiness';

function gatewaySettings(bench: Bench, { instances = 1 }: GatewayTargetOptions = {}): Record<string, string> {
	const upstreamPort = new URL(bench.upstream.origin).port;
	// All addresses of 127.0.0.0/8 reach the same process; to the gateway each is a separate instance.
	const horses = Array.from(
		{ length: instances },
		(_, at) => `horses-service=http://127.0.0.${at + 1}:${upstreamPort}`,
	);
	const others = ['auth', 'members', 'masterdata', 'events', 'ping'].map(
		(context) => `${context}-service=${bench.upstream.origin}`,
	);
	return {
		HOST: '127.0.0.1',
		DISCOVERY: 'static',
		CONTEXTS: 'auth,masterdata,horses',
		SERVICE_INSTANCES: [...others, ...horses].join(','),
		RATE_LIMIT_ANONYMOUS: unreachableRate,
		RATE_LIMIT_USER: unreachableRate,
		DRAIN_MS: '0',
		// The benchmark saturates the event loop on purpose.
		EVENT_LOOP_DELAY_MAX_MS: '60000',
	};
}

/** Starts the peer with the Node.js flags of the gateway, so that both garbage collectors have one core. */
export async function startFastify(bench: Bench, upstream = bench.upstream.origin): Promise<Target> {
	const port = await freePort();
	const child = await startChild({
		command: bench.cores.measured([process.execPath, ...deployedFlags(), 'bench/gateway/fastify-peer.ts']),
		env: { PORT: String(port), JWKS: bench.jwks, UPSTREAM: upstream, PUBLIC: '/api/masterdata/' },
		port,
	});
	return { name: 'fastify', origin: `http://127.0.0.1:${port}`, ...child };
}

/** Starts nginx and haproxy if they are installed. */
export async function startPlainProxies(bench: Bench): Promise<Target[]> {
	const directory = await mkdtemp(join(tmpdir(), 'bench-'));
	const upstreamPort = Number(new URL(bench.upstream.origin).port);
	const targets: Target[] = [];
	const start = async (
		name: string,
		config: (port: number) => string,
		command: (file: string) => string[],
	) => {
		if (!isInstalled(name)) return;
		const port = await freePort();
		const file = join(directory, `${name}.conf`);
		await writeFile(file, config(port));
		const child = await startChild({ command: bench.cores.measured(command(file)), port });
		targets.push({ name, origin: `http://127.0.0.1:${port}`, ...child });
	};
	await start(
		'nginx',
		(port) => nginxConfig(port, upstreamPort, directory),
		(file) => ['nginx', '-c', file],
	);
	await start(
		'haproxy',
		(port) => haproxyConfig(port, upstreamPort),
		(file) => ['haproxy', '-db', '-f', file],
	);
	const [last, ...rest] = targets.reverse();
	if (last === undefined) return [];
	const stop = async () => {
		await last.stop();
		await rm(directory, { recursive: true });
	};
	return [...rest.reverse(), { ...last, stop }];
}

interface BenchTokens {
	/** The key set that verifies the tokens. */
	readonly jwks: string;
	/** Signs tokens of different users, valid for some minutes. */
	sign(count: number): readonly string[];
}

async function createBenchTokens(): Promise<BenchTokens> {
	const key = await generateSigningKey();
	const signer = createTokenSigner({ issuer: 'paddock', audience: 'paddock', now: () => new Date() });
	const signOne = (): string =>
		signer.sign({ userId: randomUUID(), roles: ['MEMBER'], sessionId: randomUUID() }, key).token;
	return {
		jwks: JSON.stringify({ keys: [key.publicJwk] }),
		sign: (count) => Array.from({ length: count }, signOne),
	};
}
