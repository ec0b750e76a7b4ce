export { contextOpener } from './context-opener.ts';
export { type ReferenceCounts, referencesRoute } from './references-route.ts';
