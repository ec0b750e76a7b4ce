import { randomBytes } from 'node:crypto';
import { chmod, link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartConfig } from './config.ts';

/** The setting of auth, and the file of it in DATA_DIR. */
const setting = 'KEY_ENCRYPTION_KEY';
const fileName = 'key-encryption-key';

/** The file of a key that the first start creates, if none is given; not in production, where it would protect nothing. */
export async function keyEncryptionSetting(
	config: Pick<StartConfig, 'production' | 'environment'>,
	directory: string,
): Promise<Record<string, string>> {
	const given = [setting, `${setting}_FILE`].some((name) => (config.environment[name] ?? '') !== '');
	if (given || config.production) return {};
	const file = join(directory, fileName);
	await createKeyFile(file);
	return { [`${setting}_FILE`]: file };
}

/** Leaves an existing file as it is. The file appears with its whole content, also if the start is killed. */
async function createKeyFile(file: string): Promise<void> {
	const partial = `${file}.${process.pid}.partial`;
	await writeFile(partial, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
	try {
		await chmod(partial, 0o600);
		await link(partial, file);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
	} finally {
		await rm(partial, { force: true });
	}
}
