import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabaseAndRole, withClient } from '@paddock/database';
import { startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import { freePort } from '../../libs/testing/src/free-port.ts';
import { type Child, startChild } from '../measure/child.ts';

export interface BenchServer {
	/** The URL of the owner of a database with that name, and whether it existed. */
	makeDatabase(name: string): Promise<{ readonly url: string; readonly existed: boolean }>;
	stop(): Promise<void>;
}

/**
 * Starts a temporary PostgreSQL server, or uses the one at TEST_POSTGRES_URL (URL of a superuser), whose databases
 * remain and are used again by the next run.
 */
export async function openBenchServer(ownUrl: string | undefined): Promise<BenchServer> {
	if (ownUrl !== undefined) {
		return {
			makeDatabase: async (name) => {
				const database = `bench_${name}`;
				const { rows } = await withClient(ownUrl, (client) =>
					client.query('select from pg_database where datname = $1', [database]),
				);
				const url = await ensureDatabaseAndRole(ownUrl, { database, role: database, password: 'bench' });
				return { url, existed: rows.length > 0 };
			},
			stop: async () => {},
		};
	}
	const server = await startEmbeddedPostgres({
		dataDir: await mkdtemp(join(await realpath(tmpdir()), 'paddock-bench-')),
		port: await freePort(),
		logger: silentLogger(),
		temporary: true,
	});
	return {
		makeDatabase: async (name) => ({ url: await server.ensureDatabase(name, name), existed: false }),
		stop: () => server.stop(),
	};
}

/** The first start with filled databases builds the indexes of later migrations. */
const migratedWithinMs = 30 * 60_000;

export const contexts = ['auth', 'masterdata', 'members', 'horses', 'events'] as const;

export type Context = (typeof contexts)[number];

interface RunningRegistries {
	readonly origins: Readonly<Record<Context, string>>;
	stop(): Promise<void>;
}

/** Starts the real services, which call each other. */
export async function startRegistries(urls: Readonly<Record<Context, string>>): Promise<RunningRegistries> {
	const ports = Object.fromEntries(await Promise.all(contexts.map(async (name) => [name, await freePort()])));
	const origins = Object.fromEntries(
		contexts.map((name) => [name, `http://127.0.0.1:${ports[name]}`]),
	) as RunningRegistries['origins'];
	const callers = contexts.filter((name) => name !== 'auth');
	const secrets = Object.fromEntries(callers.map((name) => [name, randomUUID() + randomUUID()]));
	const mailDir = await mkdtemp(join(await realpath(tmpdir()), 'paddock-bench-mail-'));
	const ofAuth = {
		MAIL_DIR: mailDir,
		SERVICE_SECRETS: callers.map((name) => `${name}-service=${secrets[name]}`).join(','),
		ADMIN_EMAIL: 'admin@example.org',
		ADMIN_PASSWORD: randomUUID(),
		KEY_ENCRYPTION_KEY: 'b'.repeat(64),
	};
	const instances = contexts.map((name) => `${name}-service=${origins[name]}`).join(',');
	const children: Child[] = [];
	const stop = async (): Promise<void> => {
		await Promise.all(children.map((child) => child.stop()));
		await rm(mailDir, { recursive: true, force: true });
	};
	try {
		for (const name of contexts) {
			const env = {
				PORT: String(ports[name]),
				HOST: '127.0.0.1',
				DISCOVERY: 'static',
				SERVICE_INSTANCES: instances,
				DATABASE_URL: urls[name],
				CONTEXTS: contexts.join(','),
				LOG_LEVEL: 'warn',
				DRAIN_MS: '0',
				...(name === 'auth' ? ofAuth : { SERVICE_SECRET: secrets[name] ?? '' }),
			};
			children.push(
				await startChild({
					command: [process.execPath, `services/${name}/src/main.ts`],
					env,
					port: Number(ports[name]),
					readyPath: '/health',
					readyWithinMs: migratedWithinMs,
				}),
			);
		}
		return { origins, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
