import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Lockfile {
	packages: Record<string, { version?: string }>;
}

/** The text of a package.json with the versions that the project has installed. */
export async function withLockedVersions(root: string, text: string): Promise<string> {
	const { packages } = await readLockfile(root);
	const manifest = JSON.parse(text) as { dependencies: Record<string, string> };
	for (const name of Object.keys(manifest.dependencies)) {
		const version = packages[`node_modules/${name}`]?.version;
		if (version !== undefined) manifest.dependencies[name] = version;
	}
	return `${JSON.stringify(manifest, undefined, '\t')}\n`;
}

/**
 * Adds a workspace to package-lock.json, which `npm ci` requires. All of its dependencies must already be locked; `npm
 * install` would write the same, but needs a registry.
 */
export async function lockWorkspace(root: string, folder: string): Promise<void> {
	const lockfile = await readLockfile(root);
	const { name, version, dependencies } = JSON.parse(
		await readFile(join(root, folder, 'package.json'), 'utf8'),
	) as { name: string; version: string; dependencies: Record<string, string> };
	const added = {
		...lockfile.packages,
		[`node_modules/${name}`]: { resolved: folder, link: true },
		[folder]: { name, version, dependencies },
	};
	// In the sort order of npm.
	const packages = Object.fromEntries(
		Object.entries(added).sort(([one], [other]) => one.localeCompare(other, 'en')),
	);
	await writeFile(
		join(root, 'package-lock.json'),
		`${JSON.stringify({ ...lockfile, packages }, undefined, '\t')}\n`,
	);
}

async function readLockfile(root: string): Promise<Lockfile> {
	return JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile;
}
