import { isIP } from 'node:net';
import { checkAddress } from './address.ts';
import { type Instance, instanceAt } from './registry.ts';

const serviceName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A DNS name of SRV records, which contain the hosts and ports of the instances. */
interface SrvTarget {
	srv: string;
}

export type ServiceTarget = Instance | SrvTarget;

/**
 * Reads `auth-service=http://127.0.0.1:8081,masterdata-service=http://[::1]:8083`: services and the addresses of their
 * instances. A name may repeat, one entry per instance. Empty parts are skipped.
 * Throws one Error that names every invalid part; SRV names are invalid too, see `parseServiceTargets`.
 */
export function parseServiceInstances(text: string): Map<string, Instance[]> {
	const targets = [...parseServiceTargets(text)];
	const names = targets.flatMap(([, all]) => all.flatMap((target) => ('srv' in target ? [target.srv] : [])));
	if (names.length > 0) throw new Error(`SRV records need DISCOVERY=dns: ${names.join(', ')}`);
	return new Map(
		targets.map(([name, all]) => [name, all.filter((target): target is Instance => !('srv' in target))]),
	);
}

/** Like `parseServiceInstances`, with SRV names: `auth-service=http+srv://_http._tcp.auth.paddock.svc.cluster.local`. */
export function parseServiceTargets(text: string): Map<string, ServiceTarget[]> {
	const services = new Map<string, ServiceTarget[]>();
	const problems: string[] = [];
	for (const part of text.split(',').map((piece) => piece.trim())) {
		if (part === '') continue;
		const entry = parsePart(part);
		if (typeof entry === 'string') {
			problems.push(`"${part}": ${entry}`);
			continue;
		}
		const known = services.get(entry.name) ?? [];
		if (known.some((target) => keyOf(target) === keyOf(entry.target)))
			problems.push(`"${part}": named twice`);
		services.set(entry.name, [...known, entry.target]);
	}
	if (problems.length > 0) throw new Error(`Bad service instances: ${problems.join('; ')}`);
	return services;
}

function keyOf(target: ServiceTarget): string {
	return 'srv' in target ? target.srv : target.url;
}

/** Returns the entry, or the reason why it is invalid. */
function parsePart(part: string): { name: string; target: ServiceTarget } | string {
	const equals = part.indexOf('=');
	if (equals < 0) return 'not of the form name=http://host:port';
	const name = part.slice(0, equals).trim();
	const address = part.slice(equals + 1).trim();
	if (!serviceName.test(name)) return 'the name must be 1-63 of a-z, 0-9 and -';
	const target = parseTarget(address);
	return typeof target === 'string' ? target : { name, target };
}

function parseTarget(address: string): ServiceTarget | string {
	if (!URL.canParse(address)) return 'the address is not a URL';
	const url = new URL(address);
	const isSrv = url.protocol === 'http+srv:';
	if (url.protocol !== 'http:' && !isSrv) return 'only http:// and http+srv:// are supported';
	if (`${url.username}${url.password}${url.search}${url.hash}` !== '' || !/^\/?$/.test(url.pathname)) {
		return 'only a host and a port may be given';
	}
	if (isSrv && url.port !== '') return 'SRV records contain the port';
	const port = url.port === '' ? 80 : Number(url.port);
	if (port === 0) return 'port 0 is not usable';
	const checked = checkAddress(url.hostname.replace(/^\[|\]$/g, ''));
	if ('refusal' in checked) return checked.refusal;
	if (!isSrv) return instanceAt(checked.address, port);
	return isIP(checked.address) === 0 ? { srv: checked.address } : 'SRV records need a name';
}
