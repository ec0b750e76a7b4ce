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
const isStore = (file: string) => /\/(?:\w+-)*store\.ts$/.test(file);
const isRoute = (file: string) => /\/src\/.+\/(?:\w+-)*routes\.ts$/.test(file);
// CONTRIBUTING.md: routes → use case → rules and store. A use case calls other contexts or has the caller's request.
test('a store uses no routes, and calls no other context', () => {
	const upward = imports.filter(({ from, to }) => isStore(from) && (isRoute(to) || to.includes('/peers/')));
	expect(imports.filter(({ from }) => isStore(from)).length).toBeGreaterThan(20);
	expect(upward).toEqual([]);
});

test('rules are pure: they use no store', () => {
	// The columns of a body, without a query.
	const mapsColumns = (from: string) => from === 'events/src/events/rules.ts';
	const impure = imports.filter(
		({ from, to }) => /\/rules\/|\/rules\.ts$/.test(from) && isStore(to) && !mapsColumns(from),
	);
	expect(impure).toEqual([]);
});

test('only lists of routes use routes', () => {
	const wrong = imports.filter(
		({ from, to }) => isRoute(to) && !isRoute(from) && !/^\w+\/src\/routes\.ts$/.test(from),
	);
	expect(imports.some(({ to }) => isRoute(to))).toBe(true);
	expect(wrong).toEqual([]);
});

// A reader of one context knows the others: what belongs to an aggregate is in its folder.
test('beside its folders a context has the files of its start only', () => {
	const known =
		/^(?:app|codes|config|contact-schemas|database-schema|demo|deps|enumerations|errors|main|migrations|personal-data|routes|schemas|seed)(?:\.generated)?\.ts$/;
	const roots = files
		.filter((file) => dirname(file).endsWith('/src'))
		.map((file) => file.replace('/src/', ': '));
	expect(roots.filter((file) => !known.test(file.split(': ')[1] ?? ''))).toEqual([]);
	const folders = files.map((file) => file.split('/')[2] ?? '').filter((name) => !name.endsWith('.ts'));
	expect(
		folders.filter((name) => /^(?:repository|operations|schemas|references|routes)$/.test(name)),
	).toEqual([]);
});
