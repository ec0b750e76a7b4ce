import type { Queryable } from '@paddock/database';
import { withDeadline } from '@paddock/resilience';
import type { Metrics } from '@paddock/telemetry';
import { Counter, Gauge } from 'prom-client';
import { readQueues } from './job-store.ts';

// A scrape must not wait for a database that hangs.
const timeoutMs = 1_000;

const outcomes = ['succeeded', 'failed', 'dead'] as const;

/** Counts one attempt: `failed` if a retry follows, `dead` if none does. */
export type CountAttempt = (queue: string, outcome: (typeof outcomes)[number]) => void;

/** Counter of attempts, and gauges of the queues, which are read at each scrape. */
export function observeJobs<Schema>(
	{ registry }: Metrics,
	db: Queryable<Schema>,
	queues: readonly string[],
): CountAttempt {
	const registers = [registry];
	const attempts = new Counter({
		name: 'service_job_attempts_total',
		help: 'Attempts at jobs of this process that have ended, by queue and outcome: succeeded, failed (a retry follows) or dead (none follows).',
		labelNames: ['queue', 'outcome'],
		registers,
	});
	for (const queue of queues) for (const outcome of outcomes) attempts.inc({ queue, outcome }, 0);
	let reading: Promise<void> | undefined;
	/** One query for all gauges of a scrape. */
	const collect = () => {
		reading ??= read().finally(() => {
			reading = undefined;
		});
		return reading;
	};
	const shared = { registers, collect };
	const jobs = new Gauge({
		...shared,
		name: 'service_jobs',
		help: 'Jobs in the database, by queue and state: ready, delayed (until their time, e.g. of a retry) or active.',
		labelNames: ['queue', 'state'],
	});
	const oldest = new Gauge({
		...shared,
		name: 'service_jobs_oldest_age_seconds',
		help: 'Time for which the oldest job that could start has waited, by queue.',
		labelNames: ['queue'],
	});
	const dead = new Gauge({
		...shared,
		name: 'service_jobs_dead_letters',
		help: 'Jobs whose attempts have all failed, by queue.',
		labelNames: ['queue'],
	});
	async function read(): Promise<void> {
		const query = () => readQueues(db, queues);
		// Without a database the last values stay; readiness reports the outage.
		const states = await withDeadline(timeoutMs, query).catch(() => []);
		for (const { queue, ready, delayed, active, oldestAgeSeconds, deadLetters } of states) {
			jobs.set({ queue, state: 'ready' }, ready);
			jobs.set({ queue, state: 'delayed' }, delayed);
			jobs.set({ queue, state: 'active' }, active);
			oldest.set({ queue }, oldestAgeSeconds);
			dead.set({ queue }, deadLetters);
		}
	}
	return (queue, outcome) => attempts.inc({ queue, outcome });
}
