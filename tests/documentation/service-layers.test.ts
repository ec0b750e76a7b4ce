import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../services/', import.meta.url));
const files = globSync('*/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });

interface Import {
	readonly from: string;
	readonly to: string;
}

/** The files whose code a file uses; types are left out. */
function importsOf(from: string): Import[] {
	const text = readFileSync(join(root, from), 'utf8');
	const specifiers = text.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm);
	return [...specifiers].map(([, specifier = '']) => ({ from, to: join(dirname(from), specifier) }));
}

const imports = files.flatMap(importsOf);
const isRepository = (file: string) => /\/repository\/|repository\.ts$/.test(file);
const isRoute = (file: string) => file.includes('/routes/');
/** Tables, schemas and lists of words, without rules. */
const isVocabulary = (file: string) =>
	/\/schemas\/|\/(database-schema|enumerations|errors|schemas|user)\.ts$/.test(file);

// CONTRIBUTING.md: routes → use case → rules → repository.
test('a repository uses no code of the rules and use cases above it', () => {
	const upward = imports.filter(
		({ from, to }) => isRepository(from) && !isRepository(to) && !isVocabulary(to),
	);
	expect(imports.some(({ from }) => isRepository(from))).toBe(true);
	expect(upward).toEqual([]);
});

test('only lists of routes use routes', () => {
	const wrong = imports.filter(
		({ from, to }) => isRoute(to) && !isRoute(from) && !from.endsWith('/routes.ts'),
	);
	expect(imports.some(({ to }) => isRoute(to))).toBe(true);
	expect(wrong).toEqual([]);
});
