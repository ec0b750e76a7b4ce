export {
	type Bulkhead,
	createBulkhead,
	createRetryBudget,
	type RetryBudget,
	type RetryBudgetSettings,
} from './limits.ts';
export { remainingMs, requestDeadline } from './request-deadline.ts';
export { createRestartDelay } from './restart-delay.ts';
export { createRetention } from './retention.ts';
export { type RetryLoop, startRetryLoop } from './retry-loop.ts';
export { type SharedText, type StoredText, sharedText } from './shared-text.ts';
export { unlessAborted } from './unless-aborted.ts';
