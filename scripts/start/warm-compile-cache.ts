import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeArguments, nodeEnvironment, projectRoot } from './node-command.ts';

/**
 * Compiles these programs into the compile cache, types stripped, without running them. Otherwise each process of a
 * first start would load the type stripper, whose memory is never released, and compile the shared libraries
 * concurrently. Does nothing if their files are unchanged since the last time.
 * Resolves also on failure, e.g. if the cache is not writable: each process then strips its own code and reports its
 * errors.
 */
export async function warmCompileCache(
	mains: readonly string[],
	environment: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<void> {
	const env = nodeEnvironment(environment);
	const programs = mains.map((main) => pathToFileURL(resolve(projectRoot, main)).href);
	// The cache is of one version of Node.js and one account.
	const compiledFor = JSON.stringify([process.version, process.getuid?.(), programs]);
	const record = join(env.NODE_COMPILE_CACHE ?? '', 'compiled.json');
	if (await isUnchanged(record, compiledFor)) return;
	const child = spawn(
		process.execPath,
		[...nodeArguments, '--input-type=module', '--eval', compileOnly(programs, record, compiledFor)],
		{ cwd: projectRoot, env, stdio: 'ignore', signal, killSignal: 'SIGKILL' },
	);
	await once(child, 'exit').catch(() => {}); // Aborted, or no process can be started, which the next one reports.
}

async function isUnchanged(record: string, compiledFor: string): Promise<boolean> {
	try {
		const found = JSON.parse(await readFile(record, 'utf8')) as {
			compiledFor: string;
			files: [path: string, mtimeMs: number][];
		};
		return (
			found.compiledFor === compiledFor &&
			found.files.every(([path, mtimeMs]) => statSync(path, { throwIfNoEntry: false })?.mtimeMs === mtimeMs)
		);
	} catch {
		return false; // Not compiled yet, or another start is writing the record.
	}
}

/**
 * A module that exits before it runs any of the programs: all imports are loaded and compiled before any of them runs,
 * and the first one exits the process, which writes the cache. Before that it records the project's files.
 */
function compileOnly(programs: readonly string[], record: string, compiledFor: string): string {
	return `
		import { statSync, writeFileSync } from 'node:fs';
		import { registerHooks } from 'node:module';
		import { fileURLToPath } from 'node:url';
		const files = new Map();
		registerHooks({
			resolve(specifier, context, nextResolve) {
				const { url, ...resolved } = nextResolve(specifier, context);
				if (url.endsWith('.ts')) files.set(fileURLToPath(url), statSync(new URL(url)).mtimeMs);
				return { url, ...resolved };
			},
		});
		globalThis.exitCompiled = () => {
			writeFileSync(${JSON.stringify(record)}, JSON.stringify({ compiledFor: ${JSON.stringify(compiledFor)}, files: [...files] }));
			process.exit();
		};
		const end = 'data:text/javascript,exitCompiled()';
		const imports = [end, ...${JSON.stringify(programs)}].map((address) => 'import ' + JSON.stringify(address) + ';');
		await import('data:text/javascript,' + encodeURIComponent(imports.join('')));`;
}
