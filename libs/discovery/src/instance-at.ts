import type { Instance } from './registry.ts';

/** The instance at a checked address; without an id of its own it is called `address:port`. */
export function instanceAt(address: string, port: number, id?: string): Instance {
	const host = address.includes(':') ? `[${address}]` : address;
	return { id: id ?? `${host}:${port}`, address, port, url: `http://${host}:${port}` };
}
