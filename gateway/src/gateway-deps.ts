import type { TokenVerifier } from '@paddock/identity';
import type { Logger, Tracing } from '@paddock/telemetry';
import type { GatewayConfig } from './config.ts';
import type { Context } from './contexts.ts';
import type { AccessEntries } from './edge/access-log.ts';
import type { EventLoopDelay } from './edge/load-shedding.ts';
import type { RateLimiter } from './edge/rate-limit.ts';
import type { OperationsDeps } from './operations/operations-routes.ts';
import type { Step } from './pipeline.ts';
import type { Deployment } from './portal/deployment.ts';
import type { PortalDocuments } from './portal/portal-documents.ts';
import type { ProxyDeps } from './proxy/proxy.ts';
import type { InstanceTable } from './upstream/instance-table.ts';

/** What every process that forwards requests needs. */
export interface PipelineDeps {
	readonly config: GatewayConfig;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable;
	readonly verifier: TokenVerifier;
	readonly limiter: RateLimiter;
	readonly eventLoopDelay: EventLoopDelay;
	readonly cached: ProxyDeps['cached'];
	readonly operations: Pick<OperationsDeps, 'metrics' | 'sessions'>;
	readonly deployment: Deployment;
	readonly portal: PortalDocuments;
	readonly logger: Logger;
	readonly accessLines: AccessEntries;
	readonly tracing: Tracing;
	readonly now: () => Date;
	readonly random: () => number;
}

export interface GatewayDeps extends PipelineDeps {
	readonly operations: OperationsDeps;
}

/** A worker: the primary process serves the operations pages. */
export interface WorkerDeps extends PipelineDeps {
	/** Forwards requests for them; undefined if they have a port of their own. */
	readonly forwardPage: Step | undefined;
}
