export interface WorkerLoad {
	readonly connections: number;
	/** Share of the last second in which the event loop was busy, 0 to 1. */
	readonly utilisation: number;
}

// Below it, a worker serves its clients in time, and idle workers would not accept more than their share of the moved ones.
const busyUtilisation = 0.5;
// Utilisations of equally loaded workers differ by less.
const utilisationNoise = 0.1;
// A random distribution is as uneven as this.
const toleratedExcess = 0.25;
// Reconnecting clients must not displace requests.
const movedMax = 50;

/**
 * The number of connections that a worker closes for the clients to reconnect: half of those above the average.
 * @param all the loads of all workers, its own included
 */
export function connectionsToMove(own: WorkerLoad, all: readonly WorkerLoad[]): number {
	const average = (of: (load: WorkerLoad) => number): number =>
		all.reduce((sum, load) => sum + of(load), 0) / all.length;
	const utilisation = average((load) => load.utilisation);
	if (own.utilisation < busyUtilisation || own.utilisation < utilisation - utilisationNoise) return 0;
	const connections = average((load) => load.connections);
	const excess = own.connections - connections;
	if (excess < 1 || excess <= toleratedExcess * connections) return 0;
	return Math.min(Math.ceil(excess / 2), movedMax);
}
