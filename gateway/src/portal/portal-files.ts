import { readFile } from 'node:fs/promises';

/** What `npm run docs` has generated, as it is committed: for every context that there is. */
export interface PortalFiles {
	readonly openapi: string;
	readonly collection: string;
	readonly environment: string;
}

/** @throws when one is missing: a gateway without its contract is misbuilt. */
export async function readPortalFiles(): Promise<PortalFiles> {
	const [openapi, collection, environment] = await Promise.all([
		readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8'),
		readFile(new URL('../../../postman/collection.json', import.meta.url), 'utf8'),
		readFile(new URL('../../../postman/environment.json', import.meta.url), 'utf8'),
	]);
	return { openapi, collection, environment };
}
