import { fileURLToPath } from 'node:url';

/** For the environment of a process: the compile cache of `npm start`. Without it each start strips the types of all files. */
export const compileCache = {
	NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/paddock-compile', import.meta.url)),
};
