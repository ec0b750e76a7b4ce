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
	closeIdleSockets,
	type InstanceSet,
	openInstanceSet,
	type Random,
	retireAgent,
} from './instance-set.ts';
