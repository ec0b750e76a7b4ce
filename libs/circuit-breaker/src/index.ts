export type {
	Admission,
	BreakerSettings,
	BreakerState,
	BreakerTransition,
	BreakerView,
	CircuitBreaker,
} from './circuit-breaker.ts';
export { type CircuitBreakerDeps, createCircuitBreaker } from './create-circuit-breaker.ts';
