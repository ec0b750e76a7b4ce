export {
	type Admission,
	type BreakerSettings,
	type BreakerState,
	type BreakerTransition,
	type BreakerView,
	breakerDefault,
	type CircuitBreaker,
} from './circuit-breaker.ts';
export {
	type Bulkhead,
	createBulkhead,
	createRetryBudget,
	type RetryBudget,
	type RetryBudgetSettings,
	retryBudgetDefault,
} from './limits.ts';
export { openCircuitBreaker } from './open-circuit-breaker.ts';
export {
	remainingMs,
	requestDeadline,
	requestSignal,
	unlessAborted,
	withDeadline,
} from './request-deadline.ts';
export { createRestartDelay, type RetryLoop, startRetryLoop } from './retry-loop.ts';
export { type SharedValues, type StoredValue, type StoredValues, sharedValues } from './shared-values.ts';
