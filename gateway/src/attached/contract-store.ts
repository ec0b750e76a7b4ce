import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@paddock/telemetry';
import { z } from 'zod';
import { contractBytesMax } from './fetch-contract.ts';

const storedContract = z.object({
	service: z.string(),
	path: z.string(),
	text: z.string(),
	readAt: z.iso.datetime(),
});
type StoredContract = z.output<typeof storedContract>;

/** The last good contract of each service on disk, for a gateway that starts while the service does not respond. */
export type ContractStore = ReturnType<typeof createContractStore>;

/** @param folder LAST_KNOWN_DIR; without it, nothing is kept */
export function createContractStore(folder: string | undefined, logger: Logger) {
	if (folder === undefined)
		return { restore: async () => undefined, keep: async () => undefined, remove: async () => undefined };
	// Names of contexts are lower-case letters, digits and hyphens.
	const fileOf = (name: string) => join(folder, `gateway-contract-${name}.json`);
	return {
		/** Undefined if there is none, or it is not readable. It has to be checked like one that was fetched. */
		restore: async (name: string): Promise<StoredContract | undefined> => {
			const file = fileOf(name);
			try {
				// As JSON text, a contract is at most six times its size.
				if ((await stat(file)).size > 6 * contractBytesMax) throw new Error('is too large');
				return storedContract.parse(JSON.parse(await readFile(file, 'utf8')));
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
					logger.warn('stored contract could not be read', { file, error });
				return undefined;
			}
		},
		/** A failure is logged. */
		keep: async (name: string, contract: StoredContract): Promise<void> => {
			const file = fileOf(name);
			const partial = `${file}.${randomUUID()}`;
			try {
				await mkdir(folder, { recursive: true });
				// Renamed when complete; a process that is killed in between leaves the former file.
				await writeFile(partial, JSON.stringify(contract), { mode: 0o600 });
				await rename(partial, file);
			} catch (error) {
				logger.warn('contract could not be stored', { file, error });
				// The failure is logged above; a partial file is not read, and is written again.
				await rm(partial, { force: true }).catch(() => undefined);
			}
		},
		// A file that stays is used again only for the same service and path.
		remove: (name: string): Promise<void> => rm(fileOf(name), { force: true }).catch(() => undefined),
	};
}
