export {
	defineQueue,
	type Enqueued,
	type JobHandler,
	type JobQueue,
	jobIdOf,
	on,
	PermanentJobError,
	type RunningJob,
} from './job-queue.ts';
export type { DeadLetter, QueueState } from './job-store.ts';
export { jobsSchema } from './jobs-schema.ts';
export { type Jobs, type JobsOptions, openJobs } from './open-jobs.ts';
