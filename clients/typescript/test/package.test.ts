import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundledClient } from './bundled-client.ts';
import { type InstalledClient, installClient, readmeProgram } from './installed-client.ts';

let installed: InstalledClient;

beforeAll(async () => {
	installed = await installClient();
}, 60_000);

afterAll(() => installed.remove());

const compilers = {
	'TypeScript 5': createRequire(import.meta.url),
	'TypeScript 7': createRequire(new URL('../../../package.json', import.meta.url)),
};

// Each line below @ts-expect-error is refused.
const misuse = `
import { createClient, PaddockError } from '@paddock/client';
const paddock = createClient({ baseUrl: '' });
const path = { id: '' };
const country = await paddock.get('/api/masterdata/countries/{id}', { path });
const body = { ...country, nameEn: 'Austria' };
await paddock.put('/api/masterdata/countries/{id}', { path, body, ifMatch: country });
// @ts-expect-error ifMatch is required
await paddock.put('/api/masterdata/countries/{id}', { path, body });
// @ts-expect-error a record without a version
await paddock.put('/api/masterdata/countries/{id}', { path, body, ifMatch: { id: '' } });
// @ts-expect-error no such path
await paddock.get('/api/countries');
// @ts-expect-error not with this method
await paddock.delete('/api/ping');
// @ts-expect-error the path parameter is required
await paddock.get('/api/masterdata/countries/{id}');
// @ts-expect-error no such query parameter
await paddock.get('/api/horses', { query: { gender: 'MARE' } });
// @ts-expect-error the pages are counted by the client
paddock.items('/api/horses', { query: { page: 2 } });
// @ts-expect-error not a list
paddock.items('/api/ping');
// @ts-expect-error this operation accepts no key
await paddock.post('/auth/register', { body: { email: '', password: '', firstName: '', lastName: '' }, idempotencyKey: '' });
// @ts-expect-error signIn does this
await paddock.post('/auth/login', { body: { email: '', password: '' } });
// @ts-expect-error no such code
export const isTypo = (error: PaddockError) => error.code === 'NOT_FUOND';
// @ts-expect-error no such field
country.surname;
`;

test.each(Object.entries(compilers))(
	'%s: the README and the types compile strictly with the installed package, and misuse is refused',
	async (_name, require) => {
		const programs = [
			await installed.write('readme.ts', await readmeProgram()),
			await installed.write('misuse.ts', misuse),
		];
		const options =
			'--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false --skipDefaultLibCheck';
		const target = '--target es2022 --lib es2022,dom,dom.iterable --module nodenext';
		const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
		const args = [compiler, ...options.split(' '), ...target.split(' '), ...programs];
		const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: installed.folder }).catch(
			(failed: { stdout: string }) => failed,
		);
		expect(stdout).toBe('');
	},
	60_000,
);

test('the package has plain JavaScript and its types only', () => {
	const others = installed.files.filter((path) => !/^dist\/[\w.-]+\.(?:js|d\.ts)$/.test(path));
	expect(others).toEqual(['README.md', 'package.json']);
	expect(installed.files).toContain('dist/index.js');
	expect(installed.files).toContain('dist/index.d.ts');
});

test('a bundle with the dependency has at most 15 KB compressed, and needs no module of Node.js', async () => {
	const { code, imports } = await bundledClient(
		join(installed.folder, 'node_modules/@paddock/client/dist/index.js'),
	);
	expect(imports).toEqual([]);
	expect(code).not.toMatch(/\bBuffer\b|\brequire\(|\bnode:/);
	expect(gzipSync(code).length).toBeLessThanOrEqual(15_000);
});

test('the version is that of the project', async () => {
	const versions = ['../package.json', '../../../package.json'].map(async (path) => {
		const text = await readFile(new URL(path, import.meta.url), 'utf8');
		return (JSON.parse(text) as { version: string }).version;
	});
	const [own, projects] = await Promise.all(versions);
	expect(own).toBe(projects);
});
