import cluster from 'node:cluster';
import { type ProcessParts, runProcess } from '@paddock/service';
import { type GatewayConfig, readConfig } from './config/config.ts';
import { gatewayPages, operationsPages, workerPages } from './pages/gateway-pages.ts';
import { startGateway } from './process/start-gateway.ts';
import { startWorker } from './process/start-worker.ts';
import { operationsPipeline, requestPipeline } from './request-pipeline.ts';

// Long enough to fill a batch under load.
const accessLogWaitMs = 100;

await runProcess({
	name: 'gateway',
	settings: readConfig,
	accessLogWaitMs,
	worker: cluster.worker?.id,
	start: (config: GatewayConfig, context: ProcessParts) =>
		cluster.isWorker
			? startWorker(config, context, (deps) => requestPipeline(deps, workerPages(deps)))
			: startGateway(config, context, {
					requests: (deps) => requestPipeline(deps, gatewayPages(deps)),
					operations: (deps, isTrusted) => operationsPipeline(deps, operationsPages(deps), isTrusted),
				}),
});
