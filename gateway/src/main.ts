import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openRedis, type Redis } from '@paddock/redis';
import {
	advertisedAddress,
	advertisedInstance,
	listen,
	openRegistry,
	type ProcessContext,
	runProcess,
	type StartedProcess,
} from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import { createGateway, createOperationsApp } from './app.ts';
import { type GatewayConfig, readConfig } from './config.ts';
import { refusalLog } from './edge/access-log.ts';
import { openGateway } from './open-gateway.ts';
import { readBuildInfo } from './operations/build-info.ts';
import { readPortalFiles } from './portal/portal-files.ts';
import { ownAddresses } from './upstream/own-addresses.ts';

// Long enough to fill a batch under load.
const accessLogWaitMs = 100;
// Hundreds of clients connect at once when another gateway stops.
const acceptors = 16;

await runProcess({ name: 'gateway', settings: readConfig, accessLogWaitMs, start });

/** Registry → dependencies of the pipeline → listen. */
async function start(
	config: GatewayConfig,
	{ logger, accessSink, tracing, now, draining }: ProcessContext,
): Promise<StartedProcess> {
	let port = config.PORT;
	const isOwn = ownAddresses(config.host, advertisedAddress(config.host, config.ADVERTISE_ADDRESS));
	// A service registered at the gateway's own address would make it call itself in a loop.
	const isForbidden = (host: string, at: number, service: string) =>
		service !== 'gateway' && at === port && isOwn(host);
	const registry = openRegistry(config, { name: 'gateway', logger, now, isForbidden });
	const version = await readVersion();
	const redis = await openSharedState(config, logger, now);
	let instance: StartedProcess['instance'] | undefined;
	const gateway = openGateway({
		config,
		registry,
		logger,
		accessSink,
		tracing,
		now,
		random: Math.random,
		version,
		build: await readBuildInfo(config, { root: fileURLToPath(new URL('../../', import.meta.url)), version }),
		advertised: () => instance,
		portalFiles: await readPortalFiles(),
		draining,
		redis,
	});
	const { accessLines: lines, operations } = gateway.deps;
	const shared = {
		...serverOptions(config, now),
		onRefused: refusalLog({ lines, metrics: operations.metrics }),
	};
	const listener = createGateway(gateway.deps);
	const server = await listen({ ...shared, port: config.PORT, acceptors, listener });
	port = server.port;
	const operationsServer =
		config.OPS_PORT === undefined
			? undefined
			: await listen({ ...shared, port: config.OPS_PORT, listener: createOperationsApp(gateway.deps) });
	instance = advertisedInstance('gateway', config, port, operationsServer?.port);
	return {
		servers: operationsServer === undefined ? [server] : [server, operationsServer],
		registry,
		instance,
		healthPath: `${config.OPS_PREFIX}/health/liveness`,
		logged: { contexts: config.CONTEXTS, registry: registry.kind },
		announceClose: gateway.announceClose,
		closing: [
			{ name: 'gateway', run: gateway.close },
			{ name: 'redis', run: () => redis?.close() },
		],
	};
}

function openSharedState(
	{ REDIS_URL: url, REDIS_TIMEOUT_MS: timeoutMs }: GatewayConfig,
	logger: Logger,
	now: () => Date,
): Promise<Redis> | undefined {
	return url === undefined ? undefined : openRedis({ url, timeoutMs, logger, now });
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
