import { readdirSync } from 'node:fs';

// Apart from the contracts, so that the settings can be checked without loading what reads them.

export const contractsFolder = new URL('../../../contracts/', import.meta.url);
/** The contract of the gateway's own pages. */
export const ownPagesName = 'gateway';

/** The contexts that have a contract, sorted; the default of `CONTEXTS`. */
export function contextNames(folder = contractsFolder): readonly string[] {
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		.filter((name) => name !== ownPagesName)
		.sort();
}
