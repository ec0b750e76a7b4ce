import type { RequestListener } from 'node:http';
import { type HttpServer, listen, type ProcessParts, type StartedProcess } from '@paddock/service';
import { createPreparation, openAttachedFeed } from '../attached/prepared-contexts.ts';
import type { GatewayConfig } from '../config/config.ts';
import { readOwnContracts } from '../contexts/contracts.ts';
import { readVersion } from '../operations/build-info.ts';
import { readPortalFiles } from '../portal/portal-documents.ts';
import { joinPrimary } from '../workers/join-primary.ts';
import { openConfiguredRedis } from './open-pipeline.ts';
import { openWorker, type WorkerDeps } from './open-worker.ts';
import { clientServerOptions } from './server-options.ts';

/** Joins the primary process → dependencies of the pipeline → listen on the port that it holds. */
export async function startWorker(
	config: GatewayConfig,
	context: ProcessParts,
	pipeline: (deps: WorkerDeps) => RequestListener,
): Promise<StartedProcess> {
	const { logger, now } = context;
	let server: HttpServer | undefined;
	const link = await joinPrimary({ logger, now });
	const redis = await openConfiguredRedis(config, logger, now);
	const worker = openWorker({
		...context,
		config,
		link,
		random: Math.random,
		version: await readVersion(),
		contracts: await readOwnContracts(),
		attached: await openAttachedFeed(link.attached, {
			...{ preparation: createPreparation(), registry: link.registry, logger },
		}),
		portalFiles: await readPortalFiles(),
		redis,
		server: () => server,
	});
	server = await listen({
		...clientServerOptions(worker.deps),
		port: config.PORT,
		listener: pipeline(worker.deps),
	});
	return {
		servers: [server],
		registry: link.registry,
		// The primary process registers the gateway.
		instance: undefined,
		healthPath: '',
		logged: { pid: process.pid },
		announceClose: worker.announceClose,
		closing: [
			{ name: 'gateway', run: worker.close },
			{ name: 'redis', run: () => redis?.close() },
		],
	};
}
