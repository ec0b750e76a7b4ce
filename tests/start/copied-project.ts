import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const omitted = new Set(['node_modules', '.git', '.data', 'coverage']);

export interface CopiedProject {
	readonly path: string;
	/** Runs `npm` with these arguments. @throws Error with the output if it fails */
	npm(...args: readonly string[]): Promise<string>;
	remove(): Promise<void>;
}

/** Copies the project. The copy shares the installed packages but has its own workspaces; `env` is the environment of npm. */
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
	const installed = join(root, 'node_modules');
	await mkdir(join(path, 'node_modules'));
	for (const entry of await readdir(installed)) {
		if (entry !== '@paddock') await symlink(join(installed, entry), join(path, 'node_modules', entry));
	}
	// Relative links to the workspaces of the copy.
	const workspaces = join('node_modules', '@paddock');
	await cp(join(root, workspaces), join(path, workspaces), { recursive: true, verbatimSymlinks: true });
	for (const parent of ['.', 'libs', 'services', 'clients']) {
		for (const entry of await readdir(join(root, parent))) {
			const own = join(parent, entry, 'node_modules');
			if (existsSync(join(root, own))) await symlink(join(root, own), join(path, own));
		}
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
