import { networkInterfaces } from 'node:os';

const loopback = ['localhost', '127.0.0.1', '::1'];
const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Every name and address under which a process that listens on `host` and advertises `address` reaches itself. */
export function ownAddresses(host: string, address: string): ReadonlySet<string> {
	const given = [host, address];
	if (everywhere.has(host)) {
		const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
		return new Set([...given, ...loopback, ...all.map((entry) => entry.address)]);
	}
	return new Set(loopback.includes(host) ? [...given, ...loopback] : given);
}
