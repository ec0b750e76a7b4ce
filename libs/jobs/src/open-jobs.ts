import type { Database, Queryable } from '@paddock/database';
import type { Logger, Metrics } from '@paddock/telemetry';
import { CompiledQuery } from 'kysely';
import type { ConstructorOptions, JobResult, JobWithMetadata, PgBoss, WorkOptions } from 'pg-boss';
import { type CountAttempt, observeJobs } from './job-metrics.ts';
import {
	type Enqueued,
	type JobHandler,
	type JobQueue,
	PermanentJobError,
	type RunningJob,
	withoutAddresses,
} from './job-queue.ts';
import {
	type DeadLetter,
	deadLetters,
	dropDeadLetter,
	forgetData,
	listDeadLetters,
	type QueueState,
	readQueues,
} from './job-store.ts';
import { schema } from './jobs-schema.ts';

export interface JobsOptions<Schema> {
	/** With the migration `jobsSchema`. */
	readonly db: Database<Schema>;
	readonly handlers: readonly JobHandler[];
	readonly logger: Logger;
	readonly metrics: Metrics;
	/** Interval in which idle workers look for jobs; at least 500. */
	readonly pollMs?: number | undefined;
	/**
	 * Interval in which this process looks for jobs of processes that have stopped without a signal, and time without a sign
	 * of life after which a job counts as such. At least 10.
	 */
	readonly lostAfterS?: number;
	/** Time after which the data of ended jobs, such as the texts of mails, are removed; a quarter of it later at the latest. */
	readonly dataS?: number;
}

/** The jobs of one context. */
export interface Jobs<Schema> {
	/** Adds a job in the transaction of its reason: both are stored, or neither. */
	enqueue<Data extends object>(
		transaction: Queryable<Schema>,
		queue: JobQueue<Data>,
		data: Data,
		options?: Enqueued,
	): Promise<void>;
	/** Adds any number of jobs in one statement. */
	enqueueAll<Data extends object>(
		transaction: Queryable<Schema>,
		queue: JobQueue<Data>,
		jobs: readonly { readonly id: string; readonly data: Data }[],
	): Promise<void>;
	/** Starts the workers. */
	start(): Promise<void>;
	states(): Promise<readonly QueueState[]>;
	/** The newest dead letters. */
	deadLetters(limit: number): Promise<readonly DeadLetter[]>;
	/** Moves a dead letter back to its queue, with all attempts. @returns whether it was found */
	retry(id: string): Promise<boolean>;
	/** Removes a dead letter. @returns whether it was found */
	drop(id: string): Promise<boolean>;
	/** Takes no further jobs and waits for the running ones; those that take longer are run again later. */
	close(): Promise<void>;
}

const closeMs = 10_000;
/** Jobs whose data one statement removes. */
const forgottenAtOnce = 1_000;
const dayS = 24 * 60 * 60;
/** An administrator has this long to decide on a dead letter. */
const deadLetterS = 30 * dayS;
/**
 * Completed jobs refuse a second one with their id. They are kept for longer than a dead letter and its attempts, so that a
 * retried dead letter, whose last attempts may have had their effect, adds no second job to the queue that it feeds.
 */
const completedS = deadLetterS + 2 * dayS;

/**
 * The queues of these handlers, in the database of their context (pg-boss). Polls only: neither LISTEN nor a lock of a session,
 * so it works through a pooler in transaction mode. Uses the pool of the context.
 */
export async function openJobs<Schema>(options: JobsOptions<Schema>): Promise<Jobs<Schema>> {
	const { db, handlers, logger, metrics, pollMs = 2_000, lostAfterS = 30, dataS = 3_600 } = options;
	const queues = handlers.map(({ queue }) => queue);
	const inTurn = createTurns();
	const boss = await createBoss(db, inTurn, lostAfterS);
	boss.on('error', (error) => logger.warn('job queue error', { error }));
	boss.on('warning', ({ message, data }) => logger.warn('job queue warning', { reason: message, data }));
	await boss.start();
	await createQueues(boss, queues, Math.max(10, lostAfterS));
	const count = observeJobs(
		metrics,
		db,
		queues.map(({ name }) => name),
	);
	const stopped = new AbortController();
	const forgetAll = async () => {
		const some = () => inTurn(() => forgetData(db, dataS, forgottenAtOnce));
		while (!stopped.signal.aborted && (await some()) === forgottenAtOnce);
	};
	let forgetting = Promise.resolve();
	const forget = () => {
		forgetting = forgetting
			.then(forgetAll)
			.catch((error: unknown) => void logger.warn('data of ended jobs not removed', { error }));
	};
	let forgetTimer: NodeJS.Timeout | undefined;
	return {
		enqueue: async (transaction, { name }, data, { startAfter, ...own } = {}) => {
			const when = startAfter === undefined ? {} : { startAfter };
			await boss.send(name, data, { ...own, ...when, db: bossDatabase(transaction) });
		},
		enqueueAll: async (transaction, { name }, all) => {
			if (all.length > 0) await boss.insert(name, [...all], { db: bossDatabase(transaction) });
		},
		start: async () => {
			// At once: a process may be restarted more often.
			forget();
			forgetTimer = setInterval(forget, dataS * 250);
			for (const handler of handlers) {
				for (let worker = 0; worker < handler.queue.atOnce; worker += 1)
					await startWorker(boss, handler, pollMs, { logger, count });
			}
		},
		states: () =>
			readQueues(
				db,
				queues.map(({ name }) => name),
			),
		deadLetters: (limit) => listDeadLetters(db, limit),
		retry: async (id) => (await boss.redrive(deadLetters, { ids: [id] })) > 0,
		drop: (id) => dropDeadLetter(db, id),
		close: async () => {
			clearInterval(forgetTimer);
			stopped.abort();
			await boss.stop({ graceful: true, timeout: closeMs, close: false });
			await forgetting;
		},
	};
}

/** Loads pg-boss: it takes seven megabytes in each process, and a context without jobs needs none of it. */
async function createBoss<Schema>(db: Queryable<Schema>, inTurn: Turns, lostAfterS: number): Promise<PgBoss> {
	const { PgBoss } = await import('pg-boss');
	const { executeSql } = bossDatabase(db);
	return new PgBoss({
		db: { executeSql: (text, values) => inTurn(() => executeSql(text, values)) },
		schema,
		migrate: false,
		schedule: false,
		registerInstance: false,
		reindex: false,
		monitorVacuum: false,
		openTelemetry: { enabled: false },
		superviseIntervalSeconds: lostAfterS,
		monitorIntervalSeconds: lostAfterS,
		flowIntervalSeconds: dayS,
	});
}

/** Created, or given the present options. */
async function createQueues(
	boss: PgBoss,
	queues: readonly JobQueue<object>[],
	heartbeatSeconds: number,
): Promise<void> {
	const stored = { retentionSeconds: deadLetterS, deleteAfterSeconds: completedS };
	await boss.createQueue(deadLetters, stored);
	await boss.updateQueue(deadLetters, stored);
	for (const { name, ...queue } of queues) {
		const options = {
			...stored,
			retryLimit: queue.retryLimit,
			retryDelay: queue.retryDelayS,
			retryBackoff: true,
			retryDelayMax: queue.retryDelayMaxS,
			expireInSeconds: queue.attemptS,
			heartbeatSeconds,
			deadLetter: deadLetters,
		};
		await boss.createQueue(name, options);
		await boss.updateQueue(name, options);
	}
}

type FetchedJob = JobWithMetadata<object>;

/** Starts a worker that runs one batch at a time, of one job by default: pg-boss repeats a whole batch for one slow job of it. */
async function startWorker(
	boss: PgBoss,
	handler: JobHandler,
	pollMs: number,
	deps: { readonly logger: Logger; readonly count: CountAttempt },
): Promise<void> {
	const options = {
		pollingIntervalSeconds: pollMs / 1_000,
		batchSize: handler.queue.batch,
		includeMetadata: true,
		perJobResults: true,
	} as const satisfies WorkOptions;
	let id: string | undefined;
	id = await boss.work(handler.queue.name, options, (jobs: FetchedJob[]): Promise<JobResult[]> => {
		// It looks for the next job at once after this one, not at the end of the interval.
		if (id !== undefined) boss.notifyWorker(id);
		return Promise.all(jobs.map((job) => attempt(handler, job, deps)));
	});
}

async function attempt(
	{ queue, handle }: JobHandler,
	{ id, data, retryCount, retryLimit, signal }: FetchedJob,
	{ logger, count }: { readonly logger: Logger; readonly count: CountAttempt },
): Promise<JobResult> {
	const running: RunningJob = { id, attempt: retryCount + 1, signal };
	try {
		await handle(data, running);
		count(queue.name, 'succeeded');
		return { id, status: 'completed' };
	} catch (thrown) {
		const isPermanent = thrown instanceof PermanentJobError;
		const error = withoutAddresses(thrown);
		const isDead = isPermanent || retryCount >= retryLimit;
		count(queue.name, isDead ? 'dead' : 'failed');
		const fields = { queue: queue.name, jobId: id, attempt: running.attempt, error };
		if (isDead) logger.error('a job failed for good', fields);
		else logger.warn('a job failed and will be retried', fields);
		return { id, status: isPermanent ? 'deadletter' : 'failed', output: { message: error.message } };
	}
}

/** All workers poll at the same moment: with a connection each, the pool would keep as many open for as long as they are idle. */
const statementsAtOnce = 2;

type Turns = <Result>(statement: () => Promise<Result>) => Promise<Result>;

function createTurns(): Turns {
	let running = 0;
	const waiting: (() => void)[] = [];
	return async (statement) => {
		if (running < statementsAtOnce) running += 1;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await statement();
		} finally {
			const next = waiting.shift();
			if (next === undefined) running -= 1;
			else next();
		}
	};
}

/** pg-boss on a pool or transaction of ours. Its names of columns are its own. */
function bossDatabase<Schema>(db: Queryable<Schema>): NonNullable<ConstructorOptions['db']> {
	const plain = db.withoutPlugins();
	return {
		executeSql: async (text, values = []) => {
			const { rows } = await plain.executeQuery(CompiledQuery.raw(text, [...values]));
			return { rows: [...(rows ?? [])] };
		},
	};
}
