import { fileURLToPath } from 'node:url';
import {
	advertisedAddress,
	advertisedInstance,
	listen,
	openRegistry,
	type ProcessParts,
	type ProcessServer,
	type StartedProcess,
} from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import { type AttachedContexts, openAttachedContexts } from '../attached/attached-contexts.ts';
import { createPreparation, openAttachedFeed } from '../attached/prepared-contexts.ts';
import type { GatewayConfig } from '../config/config.ts';
import { readOwnContracts } from '../contexts/contracts.ts';
import { selfAddresses } from '../edge/self-addresses.ts';
import { readBuildInfo, readVersion } from '../operations/build-info.ts';
import { readPortalFiles } from '../portal/portal-documents.ts';
import {
	type OpenedGateway,
	type OperationsProcessDeps,
	openGateway,
	openObserver,
	type Pipelines,
} from './open-gateway.ts';
import { openConfiguredRedis } from './open-pipeline.ts';
import { openPrimary, type Primary } from './open-primary.ts';
import { clientServerOptions } from './server-options.ts';

// Hundreds of clients connect at once when another gateway stops.
const listeningSockets = 16;

/** Registry → dependencies of the pipeline → listen, in this process or in its workers. */
export async function startGateway(
	config: GatewayConfig,
	context: ProcessParts,
	pipelines: Pipelines,
): Promise<StartedProcess> {
	const { logger, now } = context;
	warnOfPublicPages(config, logger);
	let port = config.PORT;
	const isSelf = selfAddresses(config.host, advertisedAddress(config.host, config.ADVERTISE_ADDRESS));
	// A service registered at the gateway's own address would make it call itself in a loop.
	const isForbidden = (host: string, at: number, service: string) =>
		service !== 'gateway' && at === port && isSelf(host);
	const registry = openRegistry(config, { name: 'gateway', logger, now, isForbidden });
	const version = await readVersion();
	const redis = await openConfiguredRedis(config, logger, now);
	const contracts = await readOwnContracts();
	const preparation = createPreparation();
	const attached = await openAttachedContexts({ ...context, config, own: contracts, registry, preparation });
	const primary =
		config.WORKERS === 1 ? undefined : openPrimary({ config, registry, logger, pipelines, attached });
	let instance: StartedProcess['instance'];
	const options = {
		...context,
		config,
		registry,
		random: Math.random,
		version,
		build: await readBuildInfo(config, {
			root: fileURLToPath(new URL('../../../', import.meta.url)),
			version,
		}),
		advertised: () => instance,
		contracts,
		attached: await openAttachedFeed(attached, { preparation, registry, logger }),
		attachedContexts: attached,
		portalFiles: await readPortalFiles(),
		redis,
	};
	const ignoreHangup = reloadOnHangup(attached);
	const { gateway, server } =
		primary === undefined
			? await startAlone(openGateway(options), pipelines)
			: await startWorkers(openObserver(options, primary.workers), primary);
	port = server.port;
	const operationsServer = await serveOperations(context, gateway, pipelines);
	const secure = operationsServer !== undefined && context.tls !== undefined;
	instance = { ...advertisedInstance('gateway', config, port, operationsServer?.port), secure };
	return {
		servers: operationsServer === undefined ? [server] : [server, operationsServer],
		registry,
		instance,
		healthPath: `${config.OPS_PREFIX}/health/liveness`,
		logged: { contexts: config.CONTEXTS, registry: registry.kind, workers: config.WORKERS },
		announceClose: gateway.announceClose,
		closing: [
			{ name: 'attached contexts', run: ignoreHangup },
			{ name: 'gateway', run: gateway.close },
			{ name: 'redis', run: () => redis?.close() },
		],
	};
}

/** SIGHUP reads CONTEXTS_FILE again. At a terminal it means that the terminal is gone, and ends the process as usual. */
function reloadOnHangup(attached: AttachedContexts): () => void {
	if (attached.file === undefined || process.stdout.isTTY) return () => undefined;
	const reload = () => void attached.reload();
	process.on('SIGHUP', reload);
	return () => void process.off('SIGHUP', reload);
}

function warnOfPublicPages({ NODE_ENV, OPS_PORT, HEALTH_DETAILS }: GatewayConfig, logger: Logger): void {
	if (NODE_ENV !== 'production' || OPS_PORT !== undefined) return;
	logger.warn('operations pages are on the public port', { remedy: 'set OPS_PORT' });
	if (HEALTH_DETAILS === 'always')
		logger.warn('health details are public', { remedy: 'set OPS_PORT, or HEALTH_DETAILS=authorized' });
}

interface StartedGateway {
	readonly gateway: OpenedGateway<OperationsProcessDeps>;
	readonly server: ProcessServer;
}

async function startAlone(gateway: OpenedGateway, { requests }: Pipelines): Promise<StartedGateway> {
	const { deps } = gateway;
	const listener = requests(deps);
	const options = { ...clientServerOptions(deps), port: deps.config.PORT, listeningSockets, listener };
	return { gateway, server: await listen(options) };
}

async function startWorkers(
	gateway: OpenedGateway<OperationsProcessDeps>,
	primary: Primary,
): Promise<StartedGateway> {
	return { gateway, server: await primary.start(gateway.deps) };
}

async function serveOperations(
	{ tls }: ProcessParts,
	{ deps }: OpenedGateway<OperationsProcessDeps>,
	{ operations }: Pipelines,
) {
	const { OPS_PORT: port } = deps.config;
	if (port === undefined) return undefined;
	return listen({ ...clientServerOptions(deps), port, tls, listener: operations(deps) });
}
