export { type Bulkhead, createBulkhead } from './bulkhead.ts';
export { sharedText } from './follow-text.ts';
export { remainingMs, requestDeadline } from './request-deadline.ts';
export { createRetention } from './retention.ts';
export { createRetryBudget, type RetryBudget } from './retry-budget.ts';
export { backoffMs, type RetryLoop, startRetryLoop } from './retry-loop.ts';
export type { SharedText, StoredText } from './shared-text.ts';
