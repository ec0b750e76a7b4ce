import cluster from 'node:cluster';
import { runProcess } from '@paddock/service';
import { readConfig } from './config/config.ts';
import { startGateway } from './process/start-gateway.ts';
import { startWorker } from './process/start-worker.ts';

// Long enough to fill a batch under load.
const accessLogWaitMs = 100;

await runProcess({
	name: 'gateway',
	settings: readConfig,
	accessLogWaitMs,
	worker: cluster.worker?.id,
	start: cluster.isWorker ? startWorker : startGateway,
});
