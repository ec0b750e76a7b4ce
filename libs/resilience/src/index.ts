export { sharedText } from './follow-text.ts';
export { type Bulkhead, createBulkhead, createRetryBudget, type RetryBudget } from './limits.ts';
export { remainingMs, requestDeadline } from './request-deadline.ts';
export { createRetention } from './retention.ts';
export { backoffMs, type RetryLoop, startRetryLoop } from './retry-loop.ts';
export type { SharedText, StoredText } from './shared-text.ts';
