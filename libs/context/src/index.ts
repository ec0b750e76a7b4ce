export { contextOpener } from './context-opener.ts';
