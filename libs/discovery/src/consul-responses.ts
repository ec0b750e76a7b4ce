import { fieldOf, type RegistryEntry } from './check-entries.ts';
import type { ConsulResponse } from './consul-call.ts';

/** Reads a list and its index. Throws an Error if the body isn't a list or the index isn't an integer. */
export function readEntries({ headers, body }: ConsulResponse) {
	if (!Array.isArray(body)) throw new Error('the body is not a JSON list');
	return { entries: body, index: indexOf(headers) };
}

export function readValues({ headers, body = [] }: ConsulResponse, prefix: string) {
	if (!Array.isArray(body)) throw new Error('the body is not a JSON list');
	const values = body.flatMap((entry: unknown) => {
		const [key, text, version] = ['Key', 'Value', 'ModifyIndex'].map((name) => fieldOf(entry, name));
		if (typeof key !== 'string' || !Number.isSafeInteger(version))
			throw new Error('a value has no Key or ModifyIndex');
		const name = key === prefix ? '' : key.slice(prefix.length + 1);
		// The prefix `a` is one of the key `ab` too. Consul returns null for an empty value.
		if (key !== prefix && !key.startsWith(`${prefix}/`)) return [];
		return [[name, { text: typeof text === 'string' ? text : '', version: String(version) }] as const];
	});
	return { values: new Map(values), index: indexOf(headers) };
}

export function readReplaced({ body }: ConsulResponse): boolean {
	if (typeof body !== 'boolean') throw new Error('the body is neither true nor false');
	return body;
}

function indexOf(headers: ConsulResponse['headers']): bigint {
	const index = headers['x-consul-index'];
	// A proxy in front of Consul may strip the header; without an index the next query wouldn't block.
	if (typeof index !== 'string' || !/^-?\d{1,20}$/.test(index)) {
		throw new Error('the response has no usable X-Consul-Index');
	}
	return BigInt(index);
}

/** Reads the leader's address; Consul returns an empty string if there is no leader. */
export function readLeader({ body }: ConsulResponse): string | undefined {
	if (typeof body !== 'string') throw new Error('the body is not a JSON string');
	return body === '' ? undefined : body;
}

export function readRegistered({ body }: ConsulResponse, id: string): RegistryEntry | undefined {
	if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) {
		throw new Error('the body is not a JSON object');
	}
	const service: unknown = Object.hasOwn(body, id) ? (body as Record<string, unknown>)[id] : undefined;
	if (typeof service !== 'object' || service === null) return undefined;
	const { Address: address, Port: port } = service as Record<string, unknown>;
	return { address, port };
}

export interface CatalogEntry {
	node: string;
	address: unknown;
	port: unknown;
	/** False if the node or its agent has failed. */
	nodePasses: boolean;
}

/** Finds the entries of an id, one per agent that has registered it, among the entries of a service. */
export function readCatalogEntries({ body }: ConsulResponse, id: string): CatalogEntry[] {
	if (!Array.isArray(body)) throw new Error('the body is not a JSON list');
	return body.flatMap((entry: unknown) => {
		const service = fieldOf(entry, 'Service');
		const node = fieldOf(fieldOf(entry, 'Node'), 'Node');
		if (fieldOf(service, 'ID') !== id || typeof node !== 'string') return [];
		const checks = fieldOf(entry, 'Checks');
		const nodeChecks = (Array.isArray(checks) ? checks : []).filter(
			(check: unknown) => fieldOf(check, 'ServiceID') === '',
		);
		const nodePasses = nodeChecks.every((check: unknown) => fieldOf(check, 'Status') !== 'critical');
		return [{ node, address: fieldOf(service, 'Address'), port: fieldOf(service, 'Port'), nodePasses }];
	});
}

/** Reads an element of the body of `/v1/health/service/:name`. */
export function consulEntry(element: unknown): RegistryEntry {
	const service = fieldOf(element, 'Service');
	return {
		id: fieldOf(service, 'ID'),
		// A service registered without an address has the address of its node.
		// https://developer.hashicorp.com/consul/api-docs/health#list-service-instances-for-service
		address: fieldOf(service, 'Address') || fieldOf(fieldOf(element, 'Node'), 'Address'),
		port: fieldOf(service, 'Port'),
	};
}
