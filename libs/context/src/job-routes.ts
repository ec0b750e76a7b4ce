import { apiError, commonErrors } from '@paddock/contract';
import type { Jobs } from '@paddock/jobs';
import { administratorsOnly, deadLetter, jobQueue, type Route, routesWith } from '@paddock/service';
import { z } from 'zod';

/** Paths of a service's own pages about its jobs; the gateway routes no request to them. */
const jobsPath = '/jobs';

const shownMax = 200;

const jobsSchema = z.strictObject({
	queues: z.array(jobQueue),
	deadLetters: z.array(deadLetter).describe('The newest jobs whose attempts have all failed.'),
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
