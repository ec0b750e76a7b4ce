import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isUsableAddress } from './address.ts';

/**
 * A DNS lookup for connections to instances. Drops addresses that no service can have, e.g. cloud metadata, so that
 * they are never contacted.
 */
export const usableLookup: LookupFunction = (hostname, options, callback) => {
	dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
		if (error !== null) {
			callback(error, [], 0);
			return;
		}
		const usable = addresses.filter((entry) => isUsableAddress(entry.address));
		const [first] = usable;
		if (first === undefined) callback(new Error(`${hostname} resolves to no usable address`), [], 0);
		else if (options.all === true) callback(null, usable);
		else callback(null, first.address, first.family);
	});
};
