import dns from 'node:dns';
import { Agent, type AgentOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { connect } from 'node:tls';
import { isUsableAddress } from './address.ts';
import type { MutualTls } from './mutual-tls.ts';

/** One agent for each service, because a connection is verified for the name of one service. */
export function openServiceAgents(options: AgentOptions, tls: MutualTls | undefined) {
	const agents = new Map<string, Agent>();
	return {
		of: (service: string) => {
			const agent = agents.get(service) ?? serviceAgent(service, options, tls);
			agents.set(service, agent);
			return agent;
		},
		close: (): void => {
			for (const agent of agents.values()) agent.destroy();
		},
	};
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
