import { checkAddress } from './address.ts';
import { type Instance, instanceAt } from './registry.ts';

/** Whether an address must never be called for a service, such as the gateway's own. */
export type IsForbidden = (address: string, port: number, service: string) => boolean;

interface CheckedEntries {
	/** Sorted by id; no two have the same id or the same address and port. */
	instances: Instance[];
	/** One text per refused entry: the entry and the reason. Sorted. */
	refusals: string[];
}

/** An entry of a registry, unchecked. */
export interface RegistryEntry {
	/** By default the address and the port. */
	readonly id?: unknown;
	readonly address: unknown;
	readonly port: unknown;
}

/** Checks the entries one by one: any client may register one, and a bad one must not invalidate the others. */
export function checkEntries(
	entries: readonly RegistryEntry[],
	isForbidden: (address: string, port: number) => boolean,
): CheckedEntries {
	const byUrl = new Map<string, Instance>();
	const refusals: string[] = [];
	for (const entry of entries) {
		const checked = checkEntry(entry, isForbidden);
		if (typeof checked === 'string') refusals.push(checked);
		else if (!byUrl.has(checked.url)) byUrl.set(checked.url, checked);
	}
	return { instances: withUniqueIds([...byUrl.values()]), refusals: refusals.sort() };
}

/** Returns the instance, or a text naming the refused entry and the reason. */
function checkEntry(
	{ id, address, port }: RegistryEntry,
	isForbidden: (address: string, port: number) => boolean,
): Instance | string {
	const label = `${id === undefined ? '' : `${printable(id)} at `}${printable(address)}:${printable(port)}`;
	if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
		return `${label}: no usable port`;
	}
	const checked = checkAddress(address);
	if ('refusal' in checked) return `${label}: ${checked.refusal}`;
	if (isForbidden(checked.address, port)) return `${label}: an address that must not be called`;
	return instanceAt(checked.address, port, typeof id === 'string' && id !== '' ? id : undefined);
}

/** An id is unique on one Consul agent only; two nodes may each run an `auth-1`. */
function withUniqueIds(instances: Instance[]): Instance[] {
	const counts = new Map<string, number>();
	for (const { id } of instances) counts.set(id, (counts.get(id) ?? 0) + 1);
	return instances
		.map((instance) =>
			counts.get(instance.id) === 1 ? instance : { ...instance, id: `${instance.id}@${instance.url}` },
		)
		.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Truncated for the log: an entry may contain a value of any type and size. */
function printable(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : '(none)';
}

/** A property of a JSON value; undefined if the value isn't an object or lacks it. */
export function fieldOf(value: unknown, key: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
	return (value as Record<string, unknown>)[key];
}
