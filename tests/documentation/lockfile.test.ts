import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

interface LockedPackage {
	version?: string;
	resolved?: string;
	link?: boolean;
	optionalDependencies?: Record<string, string>;
}

const path = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockedPackage> };

// `npm ci` refuses a lockfile without the packages for other platforms, and npm leaves out what a mirror doesn't carry.
test('the lockfile lists the packages of every platform, so that npm ci works on all of them', () => {
	const missing = Object.values(packages)
		.flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
		.filter((name) => !Object.keys(packages).some((key) => key.endsWith(`node_modules/${name}`)));
	expect(missing).toEqual([]);
});

test('the lockfile names no host, so that it works with any registry', () => {
	const resolved = Object.values(packages).filter(
		(entry) => entry.resolved !== undefined && entry.link !== true,
	);
	expect(resolved).toEqual([]);
});
