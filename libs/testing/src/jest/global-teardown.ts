import { rm } from 'node:fs/promises';
import { dropRunDatabases } from '../test-database.ts';
import { startedServer } from './started-server.ts';

/** Removes the run's OpenAPI file and its PostgreSQL server with the data, or its databases on TEST_POSTGRES_URL. */
export default async function globalTeardown(): Promise<void> {
	const { PADDOCK_TEST_OPENAPI: openapi = '' } = process.env;
	await rm(openapi, { force: true });
	const server = startedServer();
	if (server) await server.stop();
	else await dropRunDatabases();
}
