import { isIPv6 } from 'node:net';

/**
 * Key under which attempts from one client address are counted: an IPv4 address as it is, an IPv6 address by its first
 * 64 bits, because one subscriber controls the other bits and could use a new address for each attempt.
 */
export function addressKey(address: string): string {
	const plain = address.replace(/%.*$/, '').toLowerCase();
	const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
	if (mapped !== undefined) return mapped;
	if (!isIPv6(plain)) return plain;
	return `${groupsOf(plain).slice(0, 4).join(':')}::/64`;
}

/** The eight groups without leading zeros. */
function groupsOf(address: string): string[] {
	const [head = '', tail] = address.split('::');
	const left = head === '' ? [] : head.split(':');
	const right = tail === undefined || tail === '' ? [] : tail.split(':');
	// A dotted suffix replaces two groups; it is beyond the first four, so only its length matters.
	const dotted = right.concat(left).filter((group) => group.includes('.')).length;
	const zeros = Array.from({ length: 8 - left.length - right.length - dotted }, () => '0');
	const groups = tail === undefined ? left : [...left, ...zeros, ...right];
	return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}
