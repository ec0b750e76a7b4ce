import { runProcess } from '@paddock/service';
import { noTracing } from '@paddock/telemetry';
import { readConfig } from '../../gateway/src/config/config.ts';
import { gatewayPages, operationsPages } from '../../gateway/src/pages/gateway-pages.ts';
import type { Pipelines } from '../../gateway/src/process/open-gateway.ts';
import { startGateway } from '../../gateway/src/process/start-gateway.ts';
import { operationsPipeline, requestPipeline } from '../../gateway/src/request-pipeline.ts';

// Two gateways in one process, with the same compiled code and one memory: on PORT without traces, on TWIN_PORT with those of
// the OTEL settings, if there are any.
await runProcess({
	name: 'gateway',
	settings: readConfig,
	accessLogWaitMs: 100,
	start: async (config, context) => {
		const pipelines: Pipelines = {
			requests: (deps) => requestPipeline(deps, gatewayPages(deps)),
			operations: (deps, isTrusted) => operationsPipeline(deps, operationsPages(deps), isTrusted),
		};
		await startGateway({ ...config, PORT: Number(process.env['TWIN_PORT']) }, context, pipelines);
		return await startGateway(config, { ...context, tracing: noTracing }, pipelines);
	},
});
