import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeArguments, nodeEnvironment, projectRoot } from './node-command.ts';

/**
 * Puts the code of these programs into the compile cache, types stripped, without running them. Otherwise each
 * process of a first start would load the stripper, whose memory it never gives back, and work through the shared
 * libraries for itself, all at once. What is in the cache already and hasn't changed costs next to nothing.
 *
 * Resolves also when that failed, e.g. where the cache can't be written: then each process strips for itself, and tells
 * what is wrong with its code.
 */
export async function warmCompileCache(
	mains: readonly string[],
	environment: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<void> {
	const child = spawn(
		process.execPath,
		[...nodeArguments, '--input-type=module', '--eval', loadingOnly(mains)],
		{
			cwd: projectRoot,
			env: nodeEnvironment(environment),
			stdio: 'ignore',
			signal,
			killSignal: 'SIGKILL',
		},
	);
	await once(child, 'exit').catch(() => {}); // Given up; or no process can be started, which the next one says.
}

/**
 * A module that ends before anything of ours has begun: all that is imported is loaded and compiled before any of it
 * runs, and what runs first, in the order of the imports, is the end of the process, at which the cache is written.
 */
function loadingOnly(mains: readonly string[]): string {
	const end = 'data:text/javascript,process.exit()';
	const addresses = [end, ...mains.map((main) => pathToFileURL(resolve(projectRoot, main)).href)];
	return addresses.map((address) => `import ${JSON.stringify(address)};`).join('\n');
}
