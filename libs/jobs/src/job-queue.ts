import { hash } from 'node:crypto';

/** A queue of jobs with the same data and handler. */
export interface JobQueue<Data extends object> {
	readonly name: string;
	/** Attempts after the first one. */
	readonly retryLimit: number;
	/** Delay before the first retry in seconds; it doubles with each further one, with jitter. */
	readonly retryDelayS: number;
	/** Maximum delay between retries in seconds. */
	readonly retryDelayMaxS: number;
	/** Number of jobs, or of batches, that one process runs at once. */
	readonly atOnce: number;
	/**
	 * Number of jobs that each of these takes from the database at once and runs together. If one exceeds `attemptS`, or the process
	 * stops, all of them run again.
	 */
	readonly batch: number;
	/** Maximum duration of one attempt in seconds; then it counts as failed. */
	readonly attemptS: number;
	/** Type of the data; never present. */
	readonly data?: Data;
}

type QueueOptions = Partial<Omit<JobQueue<object>, 'name' | 'data'>>;

/** Half a day of retries by default: longer than most outages, shorter than the life of most messages. */
const defaults = {
	retryLimit: 15,
	retryDelayS: 15,
	retryDelayMaxS: 7_200,
	atOnce: 5,
	batch: 1,
	attemptS: 120,
};

/** Declares a queue: `const mails = defineQueue<MailData>('mail')`. */
export function defineQueue<Data extends object>(name: string, options: QueueOptions = {}): JobQueue<Data> {
	return { name, ...defaults, ...options };
}

/** One attempt at a job. */
export interface RunningJob {
	/** UUID; the same in each attempt. */
	readonly id: string;
	/** Starts at 1. */
	readonly attempt: number;
	/** Aborted when the attempt is out of time, or at shutdown. */
	readonly signal: AbortSignal;
}

/**
 * Runs one job, at least once: after a crash it runs again, so the handler must be repeatable. An exception is a failed
 * attempt.
 */
type Handle<Data> = (data: Data, job: RunningJob) => Promise<void>;

export interface JobHandler {
	readonly queue: JobQueue<object>;
	readonly handle: (data: object, job: RunningJob) => Promise<void>;
}

/** Connects a queue with its handler. */
export function on<Data extends object>(queue: JobQueue<Data>, handle: Handle<Data>): JobHandler {
	return { queue, handle: (data, job) => handle(data as Data, job) };
}

/** Thrown by a handler if no further attempt can succeed: the job becomes a dead letter at once. */
export class PermanentJobError extends Error {
	override readonly name = 'PermanentJobError';
}

export interface Enqueued {
	/** UUID; a second job of the queue with the same id is ignored while the first is stored. Random by default. */
	readonly id?: string;
	/** Not before this time. */
	readonly startAfter?: Date;
	/** Higher first; 0 by default. */
	readonly priority?: number;
}

const causesMax = 5;

/** What of a job's error is logged and stored. Mail servers, among others, repeat addresses of persons in their errors. */
export function withoutAddresses(error: unknown, depth = 0): Error {
	if (!(error instanceof Error)) return new Error(masked(String(error)));
	const { name, message, stack = '', cause } = error;
	const isLast = cause === undefined || depth === causesMax;
	const copy = new Error(masked(message), isLast ? {} : { cause: withoutAddresses(cause, depth + 1) });
	copy.name = name;
	// Paths of packages with a scope have an @ too.
	copy.stack = stack.replaceAll(/^(?!\s+at ).*$/gm, masked);
	return 'code' in error ? Object.assign(copy, { code: error.code }) : copy;
}

const masked = (text: string) => text.replaceAll(/\S+@\S+/g, '[address]');

/** A UUID (version 8, RFC 9562) that is the same for the same text. */
export function jobIdOf(text: string): string {
	const bytes = hash('sha256', text, 'buffer').subarray(0, 16);
	bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
	bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
