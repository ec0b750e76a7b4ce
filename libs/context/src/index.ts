export { openContext } from './open-context.ts';
