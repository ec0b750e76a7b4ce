import { runInThisContext } from 'node:vm';

/**
 * The real process object. In a test file `process` is a copy by Jest that emits no process events such as `warning` or
 * `exit`.
 */
export const nodeProcess: NodeJS.Process = runInThisContext('process');
