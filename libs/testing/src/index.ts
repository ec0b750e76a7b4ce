export { checkDeclared, type ObservedAnswer } from './check-declared.ts';
export type { ForgedToken } from './forged-tokens.ts';
export { freePort, freePorts } from './free-port.ts';
export { createMovingClock, type MovingClock } from './moving-clock.ts';
export { type RawAnswer, rawRequest } from './raw-request.ts';
export { createSettableRegistry, type SettableRegistry } from './settable-registry.ts';
export { createTestDatabase, type DatabaseTemplate, type TestDatabase } from './test-database.ts';
export {
	startTestService,
	type TestAnswer,
	type TestCall,
	type TestFailure,
	type TestService,
	type TestServiceOptions,
} from './test-service.ts';
export { createTestIdentity, type TestIdentity, type TestIdentityOptions } from './test-tokens.ts';
export {
	answerNever,
	answerOk,
	answerStatus,
	type RawUpstream,
	type RecordedRequest,
	rawUpstream,
	recordingUpstream,
	type TestUpstream,
} from './upstreams.ts';
