import { startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';

/** Starts a server in the directory and on the port of the command line, says its url, and waits to be killed. */
const [, , dataDir = '', port = ''] = process.argv;
try {
	const server = await startEmbeddedPostgres({
		dataDir,
		port: Number(port),
		logger: silentLogger(),
		durable: false,
	});
	process.stdout.write(`${server.superuserUrl}\n`);
	await server.exited;
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
}
