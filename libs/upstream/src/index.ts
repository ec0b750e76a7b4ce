export {
	type AttemptFailure,
	attemptFailures,
	brokenConnection,
	failedPartHeader,
	failureOfResponse,
	isSafe,
	mayRetry,
} from './attempt-failures.ts';
export {
	type Candidate,
	closeIdleSockets,
	type InstanceSet,
	openInstanceSet,
	type Random,
	retireAgent,
} from './instance-set.ts';
export { withRetry } from './with-retry.ts';
