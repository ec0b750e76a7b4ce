import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabaseAndRole } from '@paddock/database';
import { startEmbeddedPostgres } from '@paddock/database/embedded';
import { createTokenSigner, generateSigningKey } from '@paddock/identity';
import { silentLogger } from '@paddock/telemetry';
import { freePort } from '../../libs/testing/src/free-port.ts';
import { startChild } from '../measure/child.ts';

export interface BenchServer {
	/** Creates an empty database. @returns the URL of its owner */
	makeDatabase(name: string): Promise<string>;
	stop(): Promise<void>;
}

/** Starts a temporary PostgreSQL server, or uses the one at TEST_POSTGRES_URL (URL of a superuser). */
export async function openBenchServer(ownUrl: string | undefined): Promise<BenchServer> {
	const run = randomUUID().slice(0, 8);
	if (ownUrl !== undefined) {
		return {
			makeDatabase: (name) =>
				ensureDatabaseAndRole(ownUrl, {
					database: `bench_${run}_${name}`,
					role: `bench_${run}_${name}`,
					password: run,
				}),
			stop: async () => {},
		};
	}
	const server = await startEmbeddedPostgres({
		dataDir: await mkdtemp(join(await realpath(tmpdir()), 'paddock-bench-')),
		port: await freePort(),
		logger: silentLogger(),
		temporary: true,
	});
	return { makeDatabase: (name) => server.ensureDatabase(name, name), stop: () => server.stop() };
}

export interface TokenIssuer {
	/** `auth-service=…`, from which services fetch the key set. */
	readonly instances: string;
	/** Signs a token of a federation officer. */
	sign(): string;
	stop(): Promise<void>;
}

/** Signs tokens and publishes their key set, as auth does. */
export async function openTokenIssuer(): Promise<TokenIssuer> {
	const key = await generateSigningKey();
	const signer = createTokenSigner({ issuer: 'paddock', audience: 'paddock', now: () => new Date() });
	const keys = JSON.stringify({ keys: [key.publicJwk] });
	const server = createServer((_req, res) => {
		res.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(keys);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const officer = { userId: randomUUID(), roles: ['FEDERATION_OFFICER'] as const, sessionId: randomUUID() };
	return {
		instances: `auth-service=http://127.0.0.1:${port}`,
		sign: () => signer.sign(officer, key).token,
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

export interface RunningService {
	readonly origin: string;
	stop(): Promise<void>;
}

/** Starts a real service; the contexts that it calls are not deployed. */
export async function startService(
	context: 'members' | 'horses',
	databaseUrl: string,
	issuer: TokenIssuer,
): Promise<RunningService> {
	const port = await freePort();
	const child = await startChild({
		command: [process.execPath, `services/${context}/src/main.ts`],
		env: {
			PORT: String(port),
			HOST: '127.0.0.1',
			DISCOVERY: 'static',
			SERVICE_INSTANCES: issuer.instances,
			DATABASE_URL: databaseUrl,
			CONTEXTS: `auth,${context}`,
			SERVICE_SECRET: randomUUID(),
			LOG_LEVEL: 'warn',
			DRAIN_MS: '0',
		},
		port,
		readyPath: '/health',
	});
	return { origin: `http://127.0.0.1:${port}`, stop: child.stop };
}
