import type { Instance } from './registry.ts';

/** Creates the instance at a checked address; the id defaults to `address:port`. */
export function instanceAt(address: string, port: number, id?: string): Instance {
	const host = address.includes(':') ? `[${address}]` : address;
	return { id: id ?? `${host}:${port}`, address, port, url: `http://${host}:${port}` };
}
