import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ContainerEngine } from './container-engine.ts';

export interface ProgramImage {
	readonly tag: string;
	/** Programs on the PATH of this machine. */
	readonly programs: readonly string[];
	/** Path in the image → file or folder of this machine. */
	readonly files?: Readonly<Record<string, string>>;
	/** Path in the image → content; executable. */
	readonly texts?: Readonly<Record<string, string>>;
	/** Further lines of the Dockerfile. */
	readonly instructions?: readonly string[];
}

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Builds an image of programs of this machine and the libraries that they load, as there may be no registry of images. */
export async function buildProgramImage(engine: ContainerEngine, image: ProgramImage): Promise<void> {
	const root = join(engine.directory, `root-${image.tag.replaceAll(/\W/g, '-')}`);
	const { files = {}, texts = {}, programs } = image;
	const found = programs.map((program) => execFileSync('which', [program], { encoding: 'utf8' }).trim());
	const libraries = librariesOf([...found, ...Object.values(files)]);
	await mkdir(join(root, 'tmp'), { recursive: true });
	await chmod(join(root, 'tmp'), 0o1777);
	// RUN needs /bin/sh, wherever `which` finds it.
	await mkdir(join(root, 'usr/bin'), { recursive: true });
	await symlink('usr/bin', join(root, 'bin'));
	await engine.run('cp', ['--parents', '--dereference', ...found, ...libraries, root]);
	for (const [path, source] of Object.entries(files)) {
		await cp(source, join(root, path), { recursive: true, verbatimSymlinks: true });
	}
	for (const [path, text] of Object.entries(texts)) {
		await mkdir(dirname(join(root, path)), { recursive: true });
		await writeFile(join(root, path), text, { mode: 0o755 });
	}
	const dockerfile = join(engine.directory, 'Dockerfile');
	const lines = ['FROM scratch', 'COPY . /', `ENV PATH=${searchPath}`, ...(image.instructions ?? [])];
	await writeFile(dockerfile, `${lines.join('\n')}\n`);
	await engine.run('buildah', ['bud', '--layers=false', '--file', dockerfile, '--tag', image.tag, root]);
}

// Parts of the C library that programs load at run time or addons link to.
const cLibraryParts = ['librt.so.1', 'libresolv.so.2', 'libnss_dns.so.2', 'libnss_files.so.2'];

/** `ldd` fails for what isn't a program, but lists the libraries of the others. */
function librariesOf(files: readonly string[]): string[] {
	const script = 'ldd "$@" 2>/dev/null || true';
	const listed = execFileSync('sh', ['-c', script, 'sh', ...files], { encoding: 'utf8' });
	const found = [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
	const cLibrary = found.find((path) => path.endsWith('/libc.so.6')) ?? '';
	const parts = cLibraryParts.map((name) => join(dirname(cLibrary), name));
	return [...new Set([...found, ...parts.filter((path) => existsSync(path))])];
}
