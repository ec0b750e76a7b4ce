export {
	type AttemptFailure,
	attemptFailures,
	brokenConnection,
	failedPartHeader,
	failureOfResponse,
	isSafe,
	mayRetry,
	withRetry,
} from './attempt-failures.ts';
export {
	type Candidate,
	chooseInstance,
	type InstanceSet,
	openInstanceSet,
	type Random,
} from './instance-set.ts';
