import type { Registry } from 'prom-client';

/** The workers of this gateway, as the operations pages show them. */
export interface WorkerProcesses {
	/** Number of workers that there should be. */
	readonly size: number;
	/** Number of workers that are ready. */
	ready(): number;
	/** The highest of all workers. */
	eventLoopDelayMs(): number;
	memoryBytes(): number;
	/** The metrics of this process and of all workers. */
	metrics(own: Registry): Promise<Registry>;
}
