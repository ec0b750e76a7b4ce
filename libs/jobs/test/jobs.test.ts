import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
	createDatabase,
	type Database,
	inTransaction,
	migrateToLatest,
	type PoolCounts,
} from '@paddock/database';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { createTestDatabase, eventually, startPooler, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { describeWithPrograms } from '../../testing/src/describe-with-programs.ts';
import {
	defineQueue,
	type JobHandler,
	type Jobs,
	jobsSchema,
	on,
	openJobs,
	PermanentJobError,
} from '../src/index.ts';

interface Parcel {
	readonly text: string;
}

interface Schema {
	readonly horses: { readonly name: string };
}

const parcels = defineQueue<Parcel>('parcels', { retryDelayS: 1, retryLimit: 2, atOnce: 3 });

const migrations = {
	'0001-horses': {
		up: async (db: Database<never>) => void (await sql`create table horses (name text)`.execute(db)),
	},
	'0002-jobs': jobsSchema,
};

let database: TestDatabase;
let db: Database<Schema>;
let opened: Jobs<Schema>[] = [];
const metrics = () => createMetrics({ prefix: 'service', service: 'test-service' });

beforeEach(async () => {
	database = await createTestDatabase({
		name: 'jobs',
		prepare: async (url) => {
			const empty = createDatabase<Schema>({ url, applicationName: 'test', logger: silentLogger() });
			await migrateToLatest(empty, migrations, silentLogger());
			await empty.destroy();
		},
	});
	db = createDatabase<Schema>({ url: database.url, applicationName: 'test', logger: silentLogger() });
});
afterEach(async () => {
	await Promise.all(opened.map((jobs) => jobs.close()));
	opened = [];
	await db.destroy();
	await database.drop();
});

async function open(handler: JobHandler, its = metrics(), more = {}): Promise<Jobs<Schema>> {
	const shared = { db, logger: silentLogger(), metrics: its, pollMs: 500, ...more };
	const jobs = await openJobs({ ...shared, handlers: [handler] });
	opened.push(jobs);
	await jobs.start();
	return jobs;
}

async function statesOf(queue: string): Promise<Readonly<Record<string, number>>> {
	const { rows } = await sql<{ state: string; count: number }>`
		select state::text, count(*)::int from jobs.job where name = ${queue} group by state`.execute(db);
	return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

describe('jobs', () => {
	test('a job exists exactly if the transaction of its reason was committed', async () => {
		const received: string[] = [];
		const jobs = await open(on(parcels, async ({ text }) => void received.push(text)));
		await expect(
			inTransaction(db, async (transaction) => {
				await transaction.insertInto('horses').values({ name: 'Lisa' }).execute();
				await jobs.enqueue(transaction, parcels, { text: 'rolled back' });
				throw new Error('changed my mind');
			}),
		).rejects.toThrow('changed my mind');
		await inTransaction(db, (transaction) => jobs.enqueue(transaction, parcels, { text: 'committed' }));
		await eventually('the job ran', async () => received.length > 0);
		expect(received).toEqual(['committed']);
	});

	test('workers occupy few connections, however many run at once', async () => {
		let counts: PoolCounts | undefined;
		const own = createDatabase<Schema>({
			url: database.url,
			applicationName: 'test',
			logger: silentLogger(),
			onPool: (pool) => {
				counts = pool;
			},
		});
		let running = 0;
		const all = Promise.withResolvers<void>();
		const many = defineQueue<Parcel>('many', { atOnce: 8 });
		const handler = on(many, async () => {
			running += 1;
			if (running === many.atOnce) all.resolve();
			await all.promise;
		});
		try {
			const jobs = await open(handler, metrics(), { db: own });
			for (let count = 0; count < many.atOnce; count += 1) await jobs.enqueue(db, many, { text: `${count}` });
			await all.promise;
			expect(counts?.totalCount).toBeLessThanOrEqual(2);
			await jobs.close();
		} finally {
			await own.destroy();
		}
	});

	test('a second job with the same id is ignored', async () => {
		const received: string[] = [];
		const jobs = await open(on(parcels, async ({ text }) => void received.push(text)));
		const id = '6f1c9c0e-2b1d-4c58-9c0a-52a3a5a0c7d1';
		await jobs.enqueue(db, parcels, { text: 'first' }, { id });
		await jobs.enqueue(db, parcels, { text: 'second' }, { id });
		await jobs.enqueue(db, parcels, { text: 'other' });
		await eventually('both ran', async () => received.length === 2);
		expect(received.toSorted()).toEqual(['first', 'other']);
	});

	test('a failed attempt is repeated alone, with the same id; its metrics count it', async () => {
		const attempts: string[] = [];
		const its = metrics();
		const handler = on(parcels, async ({ text }, { id, attempt }) => {
			attempts.push(`${text} ${attempt} ${id.length}`);
			if (text === 'fails once' && attempt === 1) throw new Error('not yet');
		});
		const jobs = await open(handler, its);
		await inTransaction(db, async (transaction) => {
			await jobs.enqueue(transaction, parcels, { text: 'works' });
			await jobs.enqueue(transaction, parcels, { text: 'fails once' });
		});
		await eventually('all are done', async () => attempts.length === 3, 15_000);
		expect(attempts.toSorted()).toEqual(['fails once 1 36', 'fails once 2 36', 'works 1 36']);
		await eventually('the second attempt is counted', async () => {
			const { values } = (await its.registry.getSingleMetric('service_job_attempts_total')?.get()) ?? {
				values: [],
			};
			const counts = Object.fromEntries(values.map(({ labels, value }) => [labels['outcome'], value]));
			return counts['succeeded'] === 2 && counts['failed'] === 1 && counts['dead'] === 0;
		});
	});

	test('a job that fails for good is a dead letter, which is listed without its data, retried or dropped', async () => {
		const received: string[] = [];
		let works = false;
		const handler = on(parcels, async ({ text }) => {
			if (!works) throw new PermanentJobError('550 <lisa@example.org> no such address');
			received.push(text);
		});
		const its = metrics();
		const jobs = await open(handler, its);
		await jobs.enqueue(db, parcels, { text: 'secret one' });
		await jobs.enqueue(db, parcels, { text: 'secret two' });
		await eventually('both are dead', async () => (await jobs.deadLetters(10)).length === 2);
		const [first, second] = await jobs.deadLetters(10);
		expect(first).toMatchObject({ queue: 'parcels', attempts: 1, error: '550 [address] no such address' });
		expect(JSON.stringify([first, second])).not.toContain('secret');
		expect(await jobs.states()).toEqual([
			{ queue: 'parcels', ready: 0, delayed: 0, active: 0, oldestAgeSeconds: 0, deadLetters: 2 },
		]);
		const dead = await its.registry.getSingleMetric('service_jobs_dead_letters')?.get();
		expect(dead?.values.map(({ value }) => value)).toEqual([2]);
		works = true;
		expect(await jobs.drop(second?.id ?? '')).toBe(true);
		expect(await jobs.retry(first?.id ?? '')).toBe(true);
		expect(await jobs.retry(first?.id ?? '')).toBe(false);
		await eventually('the retried one ran', async () => received.length === 1);
		expect(await jobs.deadLetters(10)).toEqual([]);
	});

	test('jobs of a batch run together, and each has its own outcome', async () => {
		const queue = defineQueue<Parcel>('batched-parcels', { retryDelayS: 1, atOnce: 1, batch: 5 });
		const attempts: string[] = [];
		const together = Promise.withResolvers<void>();
		const handler = on(queue, async ({ text }, { attempt }) => {
			attempts.push(`${text} ${attempt}`);
			if (attempts.length === 5) together.resolve();
			await together.promise;
			if (text === 'job 1' && attempt === 1) throw new Error('not yet');
			if (text === 'job 2') throw new PermanentJobError('never');
		});
		const jobs = await openJobs({
			db,
			handlers: [handler],
			logger: silentLogger(),
			metrics: metrics(),
			pollMs: 500,
		});
		opened.push(jobs);
		const all = Array.from({ length: 5 }, (_, index) => `job ${index}`);
		await inTransaction(db, async (transaction) => {
			for (const text of all) await jobs.enqueue(transaction, queue, { text });
		});
		await jobs.start();
		await eventually('the failed one ran again', () => attempts.includes('job 1 2'), 20_000);
		await eventually(
			'the others are done',
			async () => (await statesOf('batched-parcels'))['completed'] === 4,
		);
		expect(attempts.toSorted()).toEqual([...all.map((text) => `${text} 1`), 'job 1 2'].toSorted());
		expect((await jobs.deadLetters(10)).map(({ error }) => error)).toEqual(['never']);
	});

	test('a job that is out of time is repeated alone, not with those that ran beside it', async () => {
		const queue = defineQueue<Parcel>('slow-parcels', { retryDelayS: 1, atOnce: 10, attemptS: 2 });
		const attempts: string[] = [];
		const aborted: string[] = [];
		const jobs = await open(
			on(queue, async ({ text }, { attempt, signal }) => {
				attempts.push(`${text} ${attempt}`);
				if (text !== 'job 0' || attempt > 1) return;
				await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
				aborted.push(text);
			}),
		);
		const all = Array.from({ length: 10 }, (_, index) => `job ${index}`);
		await inTransaction(db, async (transaction) => {
			for (const text of all) await jobs.enqueue(transaction, queue, { text });
		});
		await eventually('the slow one ran again', () => attempts.includes('job 0 2'), 20_000);
		await eventually('all are done', async () => (await statesOf('slow-parcels'))['completed'] === 10);
		expect(aborted).toEqual(['job 0']);
		expect(attempts.toSorted()).toEqual([...all.map((text) => `${text} 1`), 'job 0 2'].toSorted());
	});

	test('jobs that end before a shutdown runs out of time are not repeated with the one that does not', async () => {
		const queue = defineQueue<Parcel>('stuck-parcels', { retryDelayS: 1, atOnce: 10 });
		const started: string[] = [];
		const jobs = await open(
			on(queue, async ({ text }, { signal }) => {
				started.push(text);
				if (text === 'job 0')
					await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
			}),
		);
		await inTransaction(db, async (transaction) => {
			for (let index = 0; index < 10; index += 1)
				await jobs.enqueue(transaction, queue, { text: `job ${index}` });
		});
		await eventually('all have started', () => started.length === 10);
		await jobs.close();
		expect(await statesOf('stuck-parcels')).toEqual({ completed: 9, retry: 1 });
	}, 30_000);

	test('the jobs of a long queue follow one another without the interval of polling', async () => {
		const received: string[] = [];
		const jobs = await openJobs({
			db,
			handlers: [on(parcels, async ({ text }) => void received.push(text))],
			logger: silentLogger(),
			metrics: metrics(),
			pollMs: 30_000,
		});
		opened.push(jobs);
		await inTransaction(db, async (transaction) => {
			for (let index = 0; index < 30; index += 1)
				await jobs.enqueue(transaction, parcels, { text: `${index}` });
		});
		await jobs.start();
		await eventually('all ran', () => received.length === 30);
	});

	test('a completed job refuses a second one with its id for longer than dead letters can be retried', async () => {
		const jobs = await open(on(parcels, async () => {}));
		// As an earlier version has left it.
		await sql`update jobs.queue set retention_seconds = 7776000, deletion_seconds = 604800`.execute(db);
		await jobs.close();
		await open(on(parcels, async () => {}));
		const { rows } = await sql<{ longEnough: boolean }>`
			select completed.deletion_seconds > dead.retention_seconds as "longEnough" from jobs.queue completed, jobs.queue dead
			where completed.name = 'parcels' and dead.name = 'dead-letters'`.execute(db);
		expect(rows).toEqual([{ longEnough: true }]);
	});

	// pg-boss found no rows in the response to several statements: a pass ended at its first queue, with a warning.
	test('completed jobs of every queue are deleted after their time', async () => {
		const letters = defineQueue<Parcel>('letters', {});
		const warnings: unknown[] = [];
		const logger = silentLogger();
		const warn = (message: string) => {
			warnings.push(message);
			return logger;
		};
		Object.assign(logger, { warn });
		const handlers = [parcels, letters].map((queue) => on(queue, async () => {}));
		const before = await openJobs({ db, handlers, logger, metrics: metrics() });
		for (const { queue } of handlers) {
			for (const text of ['old', 'young', 'waiting']) await before.enqueue(db, queue, { text });
		}
		await before.close();
		await sql`
			update jobs.job set state = 'completed', completed_on = now() - interval '1 minute'
				- case when data->>'text' = 'old' then interval '32 days' else interval '0' end
			where data->>'text' <> 'waiting'`.execute(db);
		opened.push(await openJobs({ db, handlers, logger, metrics: metrics(), lostAfterS: 1 }));
		await eventually('every queue was swept', async () => {
			const { rows } = await sql`select from jobs.queue where retained_on is null`.execute(db);
			return rows.length === 0;
		});
		for (const { queue } of handlers)
			expect(await statesOf(queue.name)).toEqual({ completed: 1, created: 1 });
		expect(warnings).not.toContain('job queue error');
	});

	// Names stayed in ended mails for 32 days, also those of erased persons.
	test('the data of ended jobs are removed, those of others and of dead letters are not', async () => {
		const handler = on(parcels, async ({ text }) => {
			if (text === 'bad') throw new PermanentJobError('no address');
		});
		const jobs = await open(handler, metrics(), { dataS: 1 });
		for (const text of ['good', 'bad']) await jobs.enqueue(db, parcels, { text });
		await jobs.enqueue(db, parcels, { text: 'later' }, { startAfter: new Date(Date.now() + 3_600_000) });
		const dataOf = async () => {
			const { rows } = await sql<{ text: string }>`
				select name || ' ' || coalesce(data->>'text', 'none') as text from jobs.job order by 1`.execute(db);
			return rows.map(({ text }) => text).join();
		};
		const left = 'dead-letters bad,parcels later,parcels none,parcels none';
		await eventually('the data to be removed', async () => (await dataOf()) === left);
	});

	test('the data of jobs that ended before the start are removed at the start, in bounded statements', async () => {
		const idle = on(parcels, async () => {});
		const before = await open(idle);
		await before.enqueue(db, parcels, { text: 'old' }, { startAfter: new Date(Date.now() + 3_600_000) });
		const withData = async () => {
			const { rows } = await sql<{ count: number }>`
				select count(*)::integer as count from jobs.job where data is not null`.execute(db);
			return rows[0]?.count;
		};
		await sql`update jobs.job set state = 'completed', completed_on = now() - interval '61 minutes'`.execute(
			db,
		);
		await sql`
			insert into jobs.job select (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid()))).*
			from jobs.job, generate_series(1, 2000)`.execute(db);
		expect(await withData()).toBe(2_001);
		await before.close();
		await open(idle);
		await eventually('the data to be removed', async () => (await withData()) === 0);
	});

	test('close waits for the running job', async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		let ended = false;
		let started = false;
		const jobs = await open(
			on(parcels, async () => {
				started = true;
				await promise;
				ended = true;
			}),
		);
		await jobs.enqueue(db, parcels, { text: 'long' });
		await eventually('it runs', async () => started);
		const closing = jobs.close();
		resolve();
		await closing;
		expect(ended).toBe(true);
		const { rows } = await sql<{ state: string }>`select state from jobs.job where name = 'parcels'`.execute(
			db,
		);
		expect(rows).toEqual([{ state: 'completed' }]);
	});
});

describeWithPrograms(['pgbouncer'], 'behind a pooler in transaction mode', () => {
	test('jobs run once each, are repeated after failures, and become dead letters', async () => {
		const pooler = await startPooler(database.url);
		const pooled = createDatabase<Schema>({
			url: pooler.url,
			poolMax: 6,
			// Transactions of all wait for three connections.
			connectTimeoutMs: 60_000,
			applicationName: 'test',
			logger: silentLogger(),
		});
		const runs = new Map<string, number>();
		const handler = on(parcels, async ({ text }, { attempt }) => {
			runs.set(text, (runs.get(text) ?? 0) + 1);
			if (text === 'lost') throw new PermanentJobError('no such address');
			if (text === 'late' && attempt === 1) throw new Error('not yet');
		});
		// Two processes, with more connections than the pooler has to the server.
		const options = { db: pooled, handlers: [handler], logger: silentLogger(), pollMs: 500 };
		const both = [
			await openJobs<Schema>({ ...options, metrics: metrics() }),
			await openJobs<Schema>({ ...options, metrics: metrics() }),
		] as const;
		try {
			await Promise.all(both.map((jobs) => jobs.start()));
			const texts = [...Array(40).keys()].map(String);
			await Promise.all(
				[...texts, 'late', 'lost'].map((text) =>
					inTransaction(pooled, (transaction) => both[0].enqueue(transaction, parcels, { text })),
				),
			);
			await eventually('all have run', () => runs.size === texts.length + 2, 20_000);
			await eventually('the late one again', () => runs.get('late') === 2, 20_000);
			await eventually('one is a dead letter', async () => (await both[1].deadLetters(10)).length === 1);
			expect(texts.filter((text) => runs.get(text) !== 1)).toEqual([]);
			expect(runs.get('lost')).toBe(1);
		} finally {
			await Promise.all(both.map((jobs) => jobs.close()));
			await pooled.destroy();
			await pooler.stop();
		}
	});
});
