import cluster from 'node:cluster';
import { type ProcessContext, runProcess } from '@paddock/service';
import { type GatewayConfig, readConfig } from './config/config.ts';
import { startGateway } from './process/start-gateway.ts';
import { startWorker } from './process/start-worker.ts';
import { createGateway, createOperationsApp } from './request-pipeline.ts';

// Long enough to fill a batch under load.
const accessLogWaitMs = 100;

await runProcess({
	name: 'gateway',
	settings: readConfig,
	accessLogWaitMs,
	worker: cluster.worker?.id,
	start: (config: GatewayConfig, context: ProcessContext) =>
		cluster.isWorker
			? startWorker(config, context, createGateway)
			: startGateway(config, context, { requests: createGateway, operations: createOperationsApp }),
});
