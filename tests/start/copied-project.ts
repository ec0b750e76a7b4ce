import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const omitted = new Set(['node_modules', '.git', '.data', 'coverage']);

export interface CopiedProject {
	readonly path: string;
	/** Runs `npm` with these arguments. @throws Error with the output if it fails */
	npm(...args: readonly string[]): Promise<string>;
	remove(): Promise<void>;
}

/**
 * Copies the project. The copy shares the installed packages but has its own workspaces, and what `tsc` has found so far;
 * `env` is the environment of npm.
 */
export async function copyProject(env: Readonly<Record<string, string>>): Promise<CopiedProject> {
	const path = await mkdtemp(join(tmpdir(), 'paddock-copy-'));
	// PostgreSQL runs under another account if the tests run as root.
	await chmod(path, 0o755);
	await cp(root, path, { recursive: true, filter: (source) => !omitted.has(basename(source)) });
	await sharePackages(path);
	return {
		path,
		npm: (...args) => run(path, env, args),
		remove: () => rm(path, { recursive: true, force: true }),
	};
}

async function sharePackages(path: string): Promise<void> {
	const folders = ['node_modules'];
	for (const parent of ['.', 'libs', 'services', 'clients'])
		for (const entry of await readdir(join(root, parent))) folders.push(join(parent, entry, 'node_modules'));
	for (const folder of folders.filter((each) => existsSync(join(root, each))))
		await shareFolder(join(root, folder), join(path, folder));
	const types = join('node_modules', '.cache', 'paddock.tsbuildinfo');
	await rm(join(path, dirname(types)), { recursive: true, force: true });
	if (existsSync(join(root, types))) await cp(join(root, types), join(path, types));
}

/**
 * With hard links, packages have the same place in both projects, so `tsc` checks what is new only; on another file system
 * with links to the packages. Links to workspaces are relative, so those of the copy lead to its own.
 */
async function shareFolder(installed: string, copy: string): Promise<void> {
	try {
		await promisify(execFile)('cp', ['-al', installed, copy]);
	} catch {
		await rm(copy, { recursive: true, force: true });
		await mkdir(copy);
		for (const entry of await readdir(installed))
			if (entry !== '@paddock') await symlink(join(installed, entry), join(copy, entry));
		const workspaces = join(installed, '@paddock');
		if (existsSync(workspaces))
			await cp(workspaces, join(copy, '@paddock'), { recursive: true, verbatimSymlinks: true });
	}
}

async function run(
	cwd: string,
	env: Readonly<Record<string, string>>,
	args: readonly string[],
): Promise<string> {
	const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			output += chunk.toString();
		});
	}
	const [code] = (await once(child, 'close')) as [number | null];
	if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${output}`);
	return output;
}
