export {
	type AttemptFailure,
	attemptFailures,
	brokenConnection,
	failedPartHeader,
	failureOfResponse,
	isSafe,
	mayRetry,
} from './attempt-failures.ts';
export { type Candidate, type InstanceSet, openInstanceSet, type Random } from './instance-set.ts';
export { closeIdleSockets, retireAgent } from './retired-agent.ts';
export { withRetry } from './with-retry.ts';
