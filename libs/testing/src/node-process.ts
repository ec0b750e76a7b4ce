import { runInThisContext } from 'node:vm';

/**
 * The process itself. In a test file `process` is Jest's copy, on which no event of the process is ever heard, such as
 * `warning` or `exit`; code of the outer context has the real one.
 */
export const nodeProcess: NodeJS.Process = runInThisContext('process');
