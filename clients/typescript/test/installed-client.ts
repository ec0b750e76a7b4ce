import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const workspace = fileURLToPath(new URL('../', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A new project in which the packed client is installed. */
export interface InstalledClient {
	readonly folder: string;
	/** The files of the package. */
	readonly files: readonly string[];
	/** Writes a file of the project. @returns its path */
	write(name: string, text: string): Promise<string>;
	remove(): Promise<void>;
}

/** Packs the client and its dependency, and installs both in an empty project, without the registry. */
export async function installClient(): Promise<InstalledClient> {
	const parent = await mkdtemp(join(tmpdir(), 'paddock-client-'));
	const staged = await stage(parent);
	const packed = await npm(parent, 'pack', '--json', staged, ...dependencies);
	const tarballs = JSON.parse(packed) as { filename: string; files: { path: string }[] }[];
	const folder = join(parent, 'project');
	await mkdir(folder);
	await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
	const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
	await npm(folder, 'install', ...options, ...tarballs.map(({ filename }) => join(parent, filename)));
	return {
		folder,
		files: tarballs[0]?.files.map(({ path }) => path) ?? [],
		write: async (name, text) => {
			await writeFile(join(folder, name), text);
			return join(folder, name);
		},
		remove: () => rm(parent, { recursive: true, force: true }),
	};
}

/** The program of the README: its code blocks, in order. */
export async function readmeProgram(): Promise<string> {
	const readme = await readFile(join(workspace, 'README.md'), 'utf8');
	return Array.from(readme.matchAll(/^```ts$(.*?)^```$/gms), ([, code]) => code).join('');
}

const dependencies = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) =>
	join(root, 'node_modules', name),
);

/** A copy of the workspace: test files that pack at the same time would overwrite each other's `dist`. */
async function stage(parent: string): Promise<string> {
	const staged = join(parent, 'paddock', 'clients', 'typescript');
	for (const part of ['package.json', 'tsconfig.build.json', 'README.md', 'src'])
		await cp(join(workspace, part), join(staged, part), { recursive: true });
	await symlink(join(root, 'node_modules'), join(parent, 'paddock', 'node_modules'));
	return staged;
}

async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
	const { stdout } = await promisify(execFile)('npm', args, { cwd, maxBuffer: 2 ** 24 });
	return stdout;
}
