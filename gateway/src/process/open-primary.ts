import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Registry } from '@paddock/discovery';
import { listen, type ProcessServer } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { AttachedContexts } from '../attached/attached-contexts.ts';
import type { GatewayConfig } from '../config/config.ts';
import type { PagesAddress } from '../workers/channel.ts';
import { keyHeader } from '../workers/primary-pages.ts';
import { openWorkerForks } from '../workers/worker-forks.ts';
import { createWorkers } from '../workers/workers.ts';
import type { OperationsProcessDeps, Pipelines } from './open-gateway.ts';
import { serverOptions } from './server-options.ts';

export type Primary = ReturnType<typeof openPrimary>;

/** The primary process of several workers: it serves the operations pages and forwards no requests. */
export function openPrimary(options: {
	readonly config: GatewayConfig;
	readonly registry: Registry;
	readonly attached: Pick<AttachedContexts, 'entries' | 'onChange'>;
	readonly logger: Logger;
	readonly pipelines: Pick<Pipelines, 'operations'>;
}) {
	const { config, registry, logger, pipelines } = options;
	let pages: PagesAddress | undefined;
	const workers = createWorkers({
		size: config.WORKERS,
		registry,
		logger,
		logLevel: config.LOG_LEVEL,
		pages: () => pages,
		attached: options.attached,
	});
	const forks = openWorkerForks({
		size: config.WORKERS,
		logger,
		onFork: workers.add,
		onExit: workers.remove,
		random: Math.random,
	});
	return {
		workers,
		/** Starts the workers; resolves when all listen. @throws StartFailure */
		start: async (deps: OperationsProcessDeps): Promise<ProcessServer> => {
			const served = config.OPS_PORT === undefined ? await servePages(config, deps, pipelines) : undefined;
			pages = served?.address;
			return {
				port: await forks.start(),
				announceClose: forks.announceClose,
				close: async (timeoutMs) => {
					await forks.close(timeoutMs);
					await served?.server.close(timeoutMs);
				},
			};
		},
	};
}

/** Serves the operations pages to the workers: on a free port of this machine, protected by a key that only they know. */
async function servePages(
	config: GatewayConfig,
	deps: OperationsProcessDeps,
	pipelines: Pick<Pipelines, 'operations'>,
): Promise<{ readonly server: ProcessServer; readonly address: PagesAddress }> {
	const key = randomBytes(32).toString('base64url');
	const listener = requireKey(
		key,
		pipelines.operations(deps, () => true),
	);
	const server = await listen({ ...serverOptions(config, deps.now), host: '127.0.0.1', port: 0, listener });
	return { server, address: { port: server.port, key } };
}

function requireKey(key: string, listener: RequestListener): RequestListener {
	const expected = Buffer.from(key);
	return (req, res) => {
		const given = Buffer.from(String(req.headers[keyHeader]));
		if (given.length === expected.length && timingSafeEqual(given, expected)) listener(req, res);
		else req.socket.destroy();
	};
}
