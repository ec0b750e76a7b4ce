import dns from 'node:dns';
import { Agent, type AgentOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { connect, type SecureContext } from 'node:tls';
import { isUsableAddress } from './address.ts';
import type { MutualTls } from './mutual-tls.ts';

/**
 * One agent for each service, because a connection is verified for the name of one service. After a replacement of the
 * certificate it is another one.
 */
export function openServiceAgents(options: AgentOptions, tls: MutualTls | undefined) {
	const agents = new Map<string, { readonly agent: Agent; readonly madeWith: SecureContext | undefined }>();
	return {
		of: (service: string): Agent => {
			const madeWith = tls?.client(service).secureContext;
			const present = agents.get(service);
			if (present !== undefined && present.madeWith === madeWith) return present.agent;
			if (present !== undefined) retireAgent(present.agent);
			const agent = serviceAgent(service, options, tls);
			agents.set(service, { agent, madeWith });
			return agent;
		},
		close: (): void => {
			for (const { agent } of agents.values()) agent.destroy();
		},
	};
}

export function closeIdleSockets(agent: Agent): void {
	for (const sockets of Object.values(agent.freeSockets))
		for (const socket of sockets ?? []) socket.destroy();
}

/** Closes idle connections and keeps none from now on; unlike destroy(), requests in flight are completed. */
export function retireAgent(agent: Agent): void {
	agent.maxFreeSockets = 0;
	closeIdleSockets(agent);
}

/** Connections of Node's HTTP client to instances of one service, for `http:` addresses also with TLS. */
export function serviceAgent(service: string, options: AgentOptions, tls: MutualTls | undefined): Agent {
	const agent = new Agent({ ...options, lookup: usableLookup });
	if (tls !== undefined)
		agent.createConnection = (to) => connect({ ...(to as object), ...tls.client(service) });
	return agent;
}

/** A DNS lookup that drops addresses that no service can have, e.g. cloud metadata. */
export const usableLookup: LookupFunction = (hostname, options, callback) => {
	dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
		if (error !== null) {
			callback(error, [], 0);
			return;
		}
		const usable = addresses.filter((entry) => isUsableAddress(entry.address));
		const [first] = usable;
		if (first === undefined) callback(new Error(`${hostname} resolves to no usable address`), [], 0);
		else if (options.all === true) callback(null, usable);
		else callback(null, first.address, first.family);
	});
};
