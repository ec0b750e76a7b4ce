import { isIPv6 } from 'node:net';

const mappedIpv4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * Whom an address stands for when requests are counted: an IPv4 address for itself, an IPv6 address for its /64, since
 * that is what one subscriber gets (RFC 6177) and may take each request's address from.
 */
export function clientNetwork(address: string): string {
	const mapped = mappedIpv4.exec(address)?.[1];
	if (mapped !== undefined) return mapped;
	if (!isIPv6(address)) return address;
	const [head, tail] = address.split('::').map(groupsOf);
	const known = (head ?? []).length + (tail ?? []).length;
	// `::` stands for the zeros that are missing.
	const network = [...(head ?? []), ...Array(8 - known).fill('0'), ...(tail ?? [])].slice(0, 4);
	return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
	return text === '' ? [] : text.split(':');
}
