import { isIPv6 } from 'node:net';

const mappedIpv4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** The same in groups of hexadecimal digits (RFC 4291 §2.5.5.2). */
const mappedInGroups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;

/** The network by which requests are counted: an IPv4 address, or the /64 of an IPv6 address (RFC 6177). */
export function clientNetwork(address: string): string {
	// The common case first: the others cost more than the rest of the limiter.
	if (!address.includes(':')) return address;
	const mapped = mappedIpv4.exec(address)?.[1] ?? dotted(mappedInGroups.exec(address));
	if (mapped !== undefined) return mapped;
	if (!isIPv6(address)) return address;
	const [head, tail] = address.split('::').map(groupsOf);
	const known = (head ?? []).length + (tail ?? []).length;
	// `::` abbreviates the missing zeros.
	const network = [...(head ?? []), ...Array(8 - known).fill('0'), ...(tail ?? [])].slice(0, 4);
	return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function dotted(groups: RegExpExecArray | null): string | undefined {
	if (groups === null) return undefined;
	const bytes = groups.slice(1).flatMap((group) => {
		const value = Number.parseInt(group, 16);
		return [value >> 8, value & 255];
	});
	return bytes.join('.');
}

function groupsOf(text: string): string[] {
	return text === '' ? [] : text.split(':');
}
