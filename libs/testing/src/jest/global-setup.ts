import { writeFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import { compileCache } from '../compile-cache.ts';
import { freePort } from '../free-port.ts';
import { writeOpenapiJson } from '../openapi-check.ts';
import { setStartedServer } from './started-server.ts';

/** Another process may take the port before it is used. */
const attemptsMax = 3;

/**
 * Starts one PostgreSQL server for the run, or uses the one at TEST_POSTGRES_URL (URL of a superuser). Workers inherit its
 * URL and the id of the run in their environment, for `createTestDatabase`, and the compile cache.
 */
export default async function globalSetup(): Promise<void> {
	const { TEST_POSTGRES_URL: own } = process.env;
	let url = own;
	if (!url) {
		const server = await startServer(1);
		setStartedServer(server);
		url = server.superuserUrl;
	}
	const run = `${process.pid}_${Date.now().toString(36)}`;
	const folder = await realpath(tmpdir());
	const openapi = join(folder, `paddock-openapi-${run}.json`);
	writeOpenapiJson(openapi);
	const times = join(folder, `paddock-times-${run}.jsonl`);
	writeFileSync(times, '');
	Object.assign(process.env, {
		...compileCache,
		PADDOCK_TEST_OPENAPI: openapi,
		PADDOCK_TEST_POSTGRES_URL: url,
		PADDOCK_TEST_RUN: run,
		PADDOCK_TEST_TIMES: times,
	});
}

async function startServer(attempt: number): Promise<EmbeddedPostgres> {
	const parent = await realpath(tmpdir());
	try {
		return await startEmbeddedPostgres({
			dataDir: await mkdtemp(join(parent, 'paddock-test-')),
			port: await freePort(),
			logger: silentLogger(),
			durable: false,
			temporary: true,
		});
	} catch (error) {
		if (attempt === attemptsMax) throw error;
		return await startServer(attempt + 1);
	}
}
