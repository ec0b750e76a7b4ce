import type { Agent } from 'node:http';

export function closeIdleSockets(agent: Agent): void {
	for (const sockets of Object.values(agent.freeSockets))
		for (const socket of sockets ?? []) socket.destroy();
}

/** Closes idle connections and keeps none from now on; unlike destroy(), requests in flight are completed. */
export function retireAgent(agent: Agent): void {
	agent.maxFreeSockets = 0;
	closeIdleSockets(agent);
}
