export { type ContextOptions, type ContextParts, openContext } from './open-context.ts';
