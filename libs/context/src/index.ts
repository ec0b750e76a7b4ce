export { type DatabaseSettings, openContext } from './open-context.ts';
