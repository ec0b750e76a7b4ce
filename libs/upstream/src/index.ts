export { createRetention } from './retention.ts';
