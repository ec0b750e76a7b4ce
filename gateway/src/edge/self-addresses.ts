import { networkInterfaces } from 'node:os';

const loopback = ['localhost', '127.0.0.1', '::1'];
const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Whether a process reaches itself under a name or an address, given in the canonical spelling. */
type IsSelf = (address: string) => boolean;

/** For a process that listens on `host` and advertises `address`. */
export function selfAddresses(host: string, address: string): IsSelf {
	const given = [host, address];
	if (!everywhere.has(host)) {
		const known = new Set(loopback.includes(host) ? [...given, ...loopback] : given);
		return (candidate) => known.has(candidate);
	}
	const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
	const known = new Set([...given, ...loopback, ...all.map((entry) => entry.address)]);
	// RFC 1122 §3.2.1.3 (g): all of 127.0.0.0/8 is this machine, though its interface names one address only.
	return (candidate) => known.has(candidate) || /^127(?:\.\d{1,3}){3}$/.test(candidate);
}
