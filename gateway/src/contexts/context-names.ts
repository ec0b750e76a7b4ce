import { readdirSync } from 'node:fs';

// Apart from the contracts, so that the settings can be checked without loading what reads them.

export const contractsFolder = new URL('../../../contracts/', import.meta.url);
export const ownPagesName = 'gateway';

export function contextNames(folder = contractsFolder): readonly string[] {
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		.filter((name) => name !== ownPagesName)
		.sort();
}
