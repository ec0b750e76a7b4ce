export { sharedText, type TextStore } from './follow-text.ts';
export { remainingMs, requestDeadline } from './request-deadline.ts';
export { createRetention, type Retention, type RetentionOptions } from './retention.ts';
export { createRetryBudget, type RetryBudget } from './retry-budget.ts';
export { backoffMs, type RetryLoop, startRetryLoop } from './retry-loop.ts';
export type { SharedText, StoredText } from './shared-text.ts';
