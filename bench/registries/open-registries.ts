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
import { startChild } from '../measure/child.ts';
import { freePort } from '../measure/free-port.ts';

export interface BenchServer {
	/** Makes a database that holds nothing yet; resolves with the url of its owner. */
	makeDatabase(name: string): Promise<string>;
	stop(): Promise<void>;
}

/** A PostgreSQL server of its own, or the one that TEST_POSTGRES_URL names (a superuser's url). */
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

export interface Office {
	/** `auth-service=…`, for services to find the keys. */
	readonly instances: string;
	/** A token of the federation's office. */
	sign(): string;
	stop(): Promise<void>;
}

/** Publishes the keys of the tokens that it signs, as the auth context does. */
export async function openOffice(): Promise<Office> {
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

/** A real service as a process of its own; the contexts that it would ask are not deployed. */
export async function startService(
	context: 'members' | 'horses',
	databaseUrl: string,
	office: Office,
): Promise<RunningService> {
	const port = await freePort();
	const child = await startChild({
		command: [process.execPath, `services/${context}/src/main.ts`],
		env: {
			PORT: String(port),
			HOST: '127.0.0.1',
			DISCOVERY: 'static',
			SERVICE_INSTANCES: office.instances,
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
