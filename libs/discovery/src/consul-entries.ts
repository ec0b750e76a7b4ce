import type { RegistryEntry } from './check-entries.ts';
import { fieldOf } from './field-of.ts';

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
