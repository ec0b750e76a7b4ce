import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeArguments, nodeEnvironment, projectRoot } from './node-command.ts';

/**
 * Compiles these programs into the compile cache, types stripped, without running them. Otherwise each process of a
 * first start would load the type stripper, whose memory is never released, and compile the shared libraries
 * concurrently. Unchanged files in the cache cost almost nothing.
 * Resolves also on failure, e.g. if the cache is not writable: each process then strips its own code and reports its
 * errors.
 */
export async function warmCompileCache(
	mains: readonly string[],
	environment: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<void> {
	const child = spawn(
		process.execPath,
		[...nodeArguments, '--input-type=module', '--eval', compileOnly(mains)],
		{
			cwd: projectRoot,
			env: nodeEnvironment(environment),
			stdio: 'ignore',
			signal,
			killSignal: 'SIGKILL',
		},
	);
	await once(child, 'exit').catch(() => {}); // Aborted, or no process can be started, which the next one reports.
}

/**
 * A module that exits before it runs any of the programs: all imports are loaded and compiled before any of them runs,
 * and the first one exits the process, which writes the cache.
 */
function compileOnly(mains: readonly string[]): string {
	const end = 'data:text/javascript,process.exit()';
	const addresses = [end, ...mains.map((main) => pathToFileURL(resolve(projectRoot, main)).href)];
	return addresses.map((address) => `import ${JSON.stringify(address)};`).join('\n');
}
