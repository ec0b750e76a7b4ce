import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Cloud metadata addresses outside the link-local range; they return the machine's own credentials: AWS and Google over
 * IPv6, Alibaba, Azure.
 * https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html
 */
const metadataAddresses = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16']);

/** ipaddr.js ranges without services, and those that embed an IPv4 address (NAT64, 6to4, Teredo), which would bypass its rules. */
const refusedRanges = new Set([
	'unspecified',
	'broadcast',
	'multicast',
	'linkLocal',
	'deprecatedSiteLocal',
	'discard',
	'rfc6145',
	'rfc6052',
	'6to4',
	'teredo',
]);

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
// getaddrinfo and the WHATWG URL parser read a name that ends in a number as an IPv4 address: 2852039166 and
// 0xa9fea9fe are 169.254.169.254. https://url.spec.whatwg.org/#ends-in-a-number-checker
const endsInNumber = /(^|\.)(\d+|0x[0-9a-f]*)$/;

/** The canonical spelling of an address, or the reason for its refusal. */
type AddressCheck = { address: string } | { refusal: string };

/**
 * An IP literal of a usable range or a DNS name (RFC 1123, plus underscores), in its canonical form. Of a DNS name only the
 * form is checked: the connecting code must check the resolved addresses with `isUsableAddress`.
 */
export function checkAddress(address: unknown): AddressCheck {
	if (typeof address !== 'string' || address === '') return { refusal: 'no address' };
	if (isIP(address) !== 0) return checkIp(address);
	const name = address.toLowerCase().replace(/\.$/, '');
	if (name.length > 253 || endsInNumber.test(name) || !name.split('.').every((part) => label.test(part))) {
		return { refusal: 'neither an IP address nor a DNS name' };
	}
	return { address: name };
}

/**
 * Whether connecting to an IP address, such as a DNS result, is allowed: not link-local (cloud metadata), unspecified,
 * multicast or broadcast, and none of these embedded in IPv6. Loopback and private addresses are usable.
 */
export function isUsableAddress(ip: string): boolean {
	return isIP(ip) !== 0 && 'address' in checkIp(ip);
}

function checkIp(ip: string): AddressCheck {
	// A zone (fe80::1%eth0) is only meaningful on the machine that wrote it.
	if (ip.includes('%')) return { refusal: 'an address with a zone' };
	const parsed = ipaddr.process(ip);
	const range = parsed.range();
	if (refusedRanges.has(range)) return { refusal: `a ${range} address` };
	if (range !== 'loopback' && isIPv4Compatible(parsed.toByteArray())) {
		return { refusal: 'an IPv4-compatible IPv6 address' };
	}
	const canonical = parsed.toString();
	if (metadataAddresses.has(canonical)) return { refusal: 'a cloud metadata address' };
	return { address: canonical };
}

/** `::a.b.c.d`, deprecated by RFC 4291 §2.5.5.1. `::1` has the same form but is loopback. */
function isIPv4Compatible(bytes: number[]): boolean {
	return bytes.length === 16 && bytes.slice(0, 12).every((byte) => byte === 0);
}
