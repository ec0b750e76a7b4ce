import { dropRunDatabases } from '../test-database.ts';
import { startedServer } from './started-server.ts';

/** Stops the run's server, which also removes its data; on a server of one's own, drops what the run has made. */
export default async function globalTeardown(): Promise<void> {
	const server = startedServer();
	if (server) await server.stop();
	else await dropRunDatabases();
}
