export type {
	Admission,
	BreakerSettings,
	BreakerState,
	BreakerTransition,
	BreakerView,
	CircuitBreaker,
} from './circuit-breaker.ts';
export { createCircuitBreaker } from './create-circuit-breaker.ts';
