export { createRetryBudget, type RetryBudget } from './retry-budget.ts';
