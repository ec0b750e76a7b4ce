import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RegistrationHandle, Registry } from '@paddock/discovery';
import {
	advertisedAddress,
	crashExit,
	type HttpServer,
	listen,
	openRegistry,
	shutDownOnSignal,
	startFailure,
} from '@paddock/service';
import { type BatchedLines, createLogger, type Logger, stdoutLines } from '@paddock/telemetry';
import { createGateway, createOperationsApp } from './app.ts';
import { type GatewayConfig, readConfig } from './config.ts';
import { refusalLog } from './edge/access-log.ts';
import { type OpenedGateway, openGateway } from './open-gateway.ts';
import { readBuildInfo } from './operations/build-info.ts';
import { readPortalFiles } from './portal/portal-files.ts';
import { ownAddresses } from './upstream/own-addresses.ts';

// Long enough to fill a batch under load.
const accessLogWaitMs = 100;
// Hundreds of clients connect at once when another gateway stops.
const acceptors = 16;

try {
	await main(readConfig());
} catch (error) {
	process.stderr.write(`gateway: ${startFailure(error)}\n`);
	process.exit(1);
}

/** Settings → registry → dependencies of the pipeline → listen → register; SIGTERM reverses the order. */
async function main(config: GatewayConfig): Promise<void> {
	const now = () => new Date();
	const logger = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
	const address = advertisedAddress(config.host, config.ADVERTISE_ADDRESS);
	const accessSink = stdoutLines({ logger, waitMs: accessLogWaitMs });
	let draining = false;
	let port = config.PORT;
	const isOwn = ownAddresses(config.host, address);
	// A service registered at the gateway's own address would make it call itself in a loop.
	const isForbidden = (host: string, at: number, service: string) =>
		service !== 'gateway' && at === port && isOwn(host);
	const registry = openRegistry(config, { logger, now, isForbidden });
	const version = await readVersion();
	let advertised: { id: string; address: string; port: number } | undefined;
	const gateway = openGateway({
		config,
		registry,
		logger,
		accessSink,
		now,
		random: Math.random,
		version,
		build: await readBuildInfo(config, { root: fileURLToPath(new URL('../../', import.meta.url)), version }),
		advertised: () => advertised,
		portalFiles: await readPortalFiles(),
		draining: () => draining,
	});
	const onRefused = refusalLog({ lines: gateway.deps.accessLines, metrics: gateway.deps.operations.metrics });
	const server = await listen({
		...serverOptions(config, now),
		onRefused,
		port: config.PORT,
		acceptors,
		listener: createGateway(gateway.deps),
	});
	port = server.port;
	const operations = await listenForOperators();
	advertised = { id: `gateway-${address}-${port}`, address, port: operations?.port ?? port };
	const registration = registry.register({
		name: 'gateway',
		...advertised,
		healthPath: `${config.OPS_PREFIX}/health/liveness`,
		checkIntervalMs: config.REGISTRY_CHECK_INTERVAL_MS,
		checkTimeoutMs: 1_000,
	});
	endOnSignal({
		config,
		logger,
		servers: operations === undefined ? [server] : [server, operations],
		gateway,
		registry,
		registration,
		accessSink,
		announce: () => {
			draining = true;
		},
	});
	// A parent process that waits for this line may send a signal next.
	logger.info('listening', { host: config.host, port, contexts: config.CONTEXTS, registry: registry.kind });

	function listenForOperators(): Promise<HttpServer> | undefined {
		if (config.OPS_PORT === undefined) return undefined;
		return listen({
			...serverOptions(config, now),
			onRefused,
			port: config.OPS_PORT,
			listener: createOperationsApp(gateway.deps),
		});
	}
}

interface Running {
	readonly config: GatewayConfig;
	readonly logger: Logger;
	/** The public port first. */
	readonly servers: readonly [HttpServer, HttpServer?];
	readonly gateway: OpenedGateway;
	readonly registry: Registry;
	readonly registration: RegistrationHandle;
	readonly accessSink: BatchedLines;
	/** Makes readiness fail. */
	readonly announce: () => void;
}

function endOnSignal(running: Running): void {
	const { config, logger, servers, gateway, registration, registry, accessSink } = running;
	const [server, operations] = servers;
	shutDownOnSignal({
		logger,
		steps: [
			{
				name: 'announce',
				run: async () => {
					running.announce();
					server.announceClose();
					gateway.announceClose();
					await registration.deregister();
				},
			},
			{ name: 'drain', run: () => wait(config.DRAIN_MS) },
			{ name: 'server', run: () => server.close(config.SHUTDOWN_TIMEOUT_MS) },
			{ name: 'operations', run: () => operations?.close(1_000) },
			{ name: 'gateway', run: () => gateway.close() },
			{ name: 'registry', run: () => registry.close() },
			{ name: 'access log', run: () => accessSink.flush() },
		],
		crash: crashExit({
			drainMs: config.DRAIN_MS,
			servers: operations === undefined ? [server] : [server, operations],
			deregister: () => registration.deregister(),
			flushAccessLog: () => accessSink.flush(),
		}),
	});
}

function serverOptions(config: GatewayConfig, now: () => Date) {
	return {
		host: config.host,
		keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
		headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
		requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
		unreadTimeoutMs: config.IDLE_TIMEOUT_MS,
		// The parser's limit is the last resort: unlike the limits step it can't distinguish a long URL from long headers.
		headerBytesMax: 2 * (config.URL_BYTES_MAX + config.HEADER_BYTES_MAX),
		now,
	};
}

async function readVersion(): Promise<string> {
	const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
	const { version } = JSON.parse(text) as { version: string };
	return version;
}
