export {
	defineQueue,
	type JobHandler,
	type JobQueue,
	jobIdOf,
	on,
	PermanentJobError,
} from './job-queue.ts';
export type { DeadLetter } from './job-store.ts';
export { jobsSchema } from './jobs-schema.ts';
export { type Jobs, openJobs } from './open-jobs.ts';
