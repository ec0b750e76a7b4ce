import { fileURLToPath } from 'node:url';

/** Where our processes run. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Megabytes for young objects: V8 would take 16, which in a process that is mostly idle are never given back. */
const semiSpaceMb = 4;
export const nodeArguments: readonly string[] = [`--max-semi-space-size=${semiSpaceMb}`];

/** Holds the code with its types stripped: each process is 25 MB smaller without the stripper, and starts faster. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/paddock-compile', import.meta.url));

/** `environment`, which may have a NODE_COMPILE_CACHE of its own, with ours. */
export function nodeEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
	return { NODE_COMPILE_CACHE: compileCache, ...environment };
}
