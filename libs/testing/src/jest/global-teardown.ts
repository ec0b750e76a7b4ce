import { rm } from 'node:fs/promises';
import { dropRunDatabases } from '../test-database.ts';
import { startedServer } from './started-server.ts';

/** Removes the document that the run has made; stops the run's server, which also removes its data; on a server of one's own, drops what the run has made. */
export default async function globalTeardown(): Promise<void> {
	const { PADDOCK_TEST_OPENAPI: openapi = '' } = process.env;
	await rm(openapi, { force: true });
	const server = startedServer();
	if (server) await server.stop();
	else await dropRunDatabases();
}
