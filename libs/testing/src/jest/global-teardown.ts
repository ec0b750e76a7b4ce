import { rm } from 'node:fs/promises';
import { dropRunDatabases } from '../test-database.ts';
import { startedServer } from './started-server.ts';

/** Removes the run's files and its PostgreSQL server with the data, or its databases on TEST_POSTGRES_URL. */
export default async function globalTeardown(): Promise<void> {
	const { PADDOCK_TEST_OPENAPI: openapi = '', PADDOCK_TEST_TIMES: times = '' } = process.env;
	for (const file of [openapi, times]) await rm(file, { force: true });
	const server = startedServer();
	if (server) await server.stop();
	else await dropRunDatabases();
}
