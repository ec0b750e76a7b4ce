import { apiError, commonErrors } from '@paddock/contract';
import type { Jobs } from '@paddock/jobs';
import { administratorsOnly, instant, type Route, routesWith } from '@paddock/service';
import { z } from 'zod';

/** Paths of a service's own pages about its jobs; the gateway routes no request to them. */
export const jobsPath = '/jobs';

const shownMax = 200;

export const jobsSchema = z.strictObject({
	queues: z.array(
		z.strictObject({
			queue: z.string().describe('Name of the queue.'),
			ready: z.int().min(0).describe('Jobs that could start now.'),
			delayed: z.int().min(0).describe('Jobs that wait for their time, e.g. that of a retry.'),
			active: z.int().min(0).describe('Jobs in progress.'),
			oldestAgeSeconds: z.number().min(0).describe('How long the oldest job that could start has waited.'),
			deadLetters: z.int().min(0).describe('Jobs whose attempts have all failed.'),
		}),
	),
	deadLetters: z
		.array(
			z.strictObject({
				id: z.uuid().describe('UUID of the dead letter.'),
				queue: z.string().describe('Name of the queue.'),
				attempts: z.int().min(0).describe('Number of attempts.'),
				createdAt: instant.describe('When the job was added, in UTC.'),
				failedAt: instant.describe('When the last attempt failed, in UTC.'),
				error: z.string().describe('Message of the last failure.'),
			}),
		)
		.describe('The newest jobs whose attempts have all failed.'),
});

type JobsPage = z.output<typeof jobsSchema>;

const route = routesWith<unknown>('operations');
const shared = { access: administratorsOnly, output: jobsSchema, cacheControl: 'no-store' } as const;
const notFound = { NOT_FOUND: commonErrors.NOT_FOUND };

/** The queues and dead letters of this service, which an administrator retries or drops. */
export function jobRoutes<Schema>(jobs: Jobs<Schema>): readonly Route<unknown>[] {
	return [
		route({
			...shared,
			method: 'get',
			path: jobsPath,
			operationId: 'jobs',
			readers: 'office',
			summary: 'Queues and dead letters',
			message: 'Queues and dead letters',
			handler: () => pageOf(jobs),
		}),
		route({
			...shared,
			method: 'post',
			path: `${jobsPath}/{id}/retry`,
			operationId: 'retryJob',
			writers: 'office',
			summary: 'Move a dead letter back to its queue, with all attempts',
			errors: notFound,
			message: 'Back in its queue',
			handler: async ({ params, principal, log }) => {
				if (!(await jobs.retry(params.id))) throw apiError('NOT_FOUND');
				log.info('a dead letter was moved back to its queue', {
					deadLetter: params.id,
					by: principal.userId,
				});
				return pageOf(jobs);
			},
		}),
		route({
			...shared,
			method: 'delete',
			path: `${jobsPath}/{id}`,
			operationId: 'dropJob',
			writers: 'office',
			summary: 'Remove a dead letter',
			errors: notFound,
			message: 'Removed',
			handler: async ({ params, principal, log }) => {
				if (!(await jobs.drop(params.id))) throw apiError('NOT_FOUND');
				log.info('a dead letter was removed', { deadLetter: params.id, by: principal.userId });
				return pageOf(jobs);
			},
		}),
	];
}

async function pageOf<Schema>(jobs: Jobs<Schema>): Promise<JobsPage> {
	const [queues, dead] = await Promise.all([jobs.states(), jobs.deadLetters(shownMax)]);
	return {
		queues: queues.map((queue) => ({ ...queue })),
		deadLetters: dead.map((letter) => ({
			...letter,
			createdAt: letter.createdAt.toISOString(),
			failedAt: letter.failedAt.toISOString(),
		})),
	};
}
