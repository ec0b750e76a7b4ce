import { checkAddress } from './address.ts';
import { instanceAt } from './instance-at.ts';
import type { Instance } from './registry.ts';

const serviceName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads `auth-service=http://127.0.0.1:8081,masterdata-service=http://[::1]:8083`: services and the addresses of their
 * instances. A name may repeat, one entry per instance. Empty parts are skipped.
 * Throws one Error that names every invalid part.
 */
export function parseServiceInstances(text: string): Map<string, Instance[]> {
	const services = new Map<string, Instance[]>();
	const problems: string[] = [];
	for (const part of text.split(',').map((piece) => piece.trim())) {
		if (part === '') continue;
		const entry = parsePart(part);
		if (typeof entry === 'string') {
			problems.push(`"${part}": ${entry}`);
			continue;
		}
		const known = services.get(entry.name) ?? [];
		if (known.some(({ url }) => url === entry.instance.url)) problems.push(`"${part}": named twice`);
		services.set(entry.name, [...known, entry.instance]);
	}
	if (problems.length > 0) throw new Error(`Bad service instances: ${problems.join('; ')}`);
	return services;
}

/** Returns the entry, or the reason why it is invalid. */
function parsePart(part: string): { name: string; instance: Instance } | string {
	const equals = part.indexOf('=');
	if (equals < 0) return 'not of the form name=http://host:port';
	const name = part.slice(0, equals).trim();
	const address = part.slice(equals + 1).trim();
	if (!serviceName.test(name)) return 'the name must be 1-63 of a-z, 0-9 and -';
	if (!URL.canParse(address)) return 'the address is not a URL';
	const url = new URL(address);
	if (url.protocol !== 'http:') return 'only http:// is supported';
	if (`${url.username}${url.password}${url.search}${url.hash}` !== '' || url.pathname !== '/') {
		return 'only a host and a port may be given';
	}
	const port = url.port === '' ? 80 : Number(url.port);
	if (port === 0) return 'port 0 is not usable';
	const checked = checkAddress(url.hostname.replace(/^\[|\]$/g, ''));
	if ('refusal' in checked) return checked.refusal;
	return { name, instance: instanceAt(checked.address, port) };
}
