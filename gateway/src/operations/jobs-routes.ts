import { type ApiError, apiError, commonErrors } from '@paddock/contract';
import {
	administratorsOnly,
	deadLetter,
	idParameters,
	jobQueue,
	type Route,
	routesWith,
} from '@paddock/service';
import { isAxiosError } from 'axios';
import { z } from 'zod';
import { type LiveSessions, sessionCaller } from '../authentication/live-sessions.ts';
import type { Context } from '../contexts/context.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import { type InternalClient, reasonOf } from '../upstream/internal-client.ts';
import type { ObservedInstance } from '../upstream/upstream.ts';

export interface JobsDeps {
	readonly contexts: readonly Context[];
	readonly table: InstanceTable<ObservedInstance>;
	readonly sessions: LiveSessions;
	readonly serviceClient: InternalClient;
}

const queue = jobQueue.meta({ id: 'JobQueue', description: 'A queue of jobs of one context.' });
const failed = deadLetter.meta({ id: 'DeadLetter', description: 'A job whose attempts have all failed.' });

/** The page of one service; it may run another version. */
const pageOfService = z.object({
	data: z.object({ queues: z.array(queue.strip()), deadLetters: z.array(failed.strip()) }),
});

const contextJobs = z
	.strictObject({
		context: z.string().describe('Name of the context.'),
		responds: z.boolean().describe('Whether an instance of its service responded.'),
		message: z.string().optional().describe('Why it did not respond.'),
		queues: z.array(queue).describe('The queues of the context.'),
		deadLetters: z.array(failed).describe('The newest dead letters, at most 200.'),
	})
	.meta({ id: 'ContextJobs', description: 'Jobs of one context.' });

const jobList = z
	.array(contextJobs)
	.meta({ id: 'JobList', description: 'Jobs of all contexts that have any.' });

type ContextJobs = z.output<typeof contextJobs>;

const route = routesWith<JobsDeps>('operations');
const shared = { access: administratorsOnly, cacheControl: 'no-store' } as const;
const changeErrors = {
	NOT_FOUND: commonErrors.NOT_FOUND,
	SERVICE_UNAVAILABLE: commonErrors.SERVICE_UNAVAILABLE,
};
const params = idParameters.extend({
	// As that of the breakers, with which the documents share it.
	context: z.string().meta({ example: 'masterdata', description: 'Name of the context.' }),
});

/** `/jobs`: the queues and dead letters of the services, which an administrator retries or drops. */
export function jobsRoutes(prefix: `/${string}`): readonly Route<JobsDeps>[] {
	return [
		route({
			...shared,
			method: 'get',
			path: `${prefix}/jobs`,
			operationId: 'jobs',
			readers: 'office',
			summary: 'Queues of jobs, such as mails, and jobs that have failed for good',
			output: jobList,
			message: 'Queues and dead letters',
			handler: async ({ headers }, deps) => {
				const own = deps.contexts.filter(({ attached }) => attached === undefined);
				const pages = await Promise.all(
					own.map((context) => jobsOf(deps, context, headers['authorization'])),
				);
				return pages.filter((page) => page !== undefined);
			},
		}),
		changeRoute(`${prefix}/jobs/{context}/{id}/retry`, {
			method: 'post',
			operationId: 'retryJob',
			summary: 'Move a job that has failed for good back to its queue, with all attempts',
			message: 'Back in its queue',
		}),
		changeRoute(`${prefix}/jobs/{context}/{id}`, {
			method: 'delete',
			operationId: 'dropJob',
			summary: 'Remove a job that has failed for good',
			message: 'Removed',
		}),
	];
}

function changeRoute(
	path: `/${string}`,
	change: Pick<Route<JobsDeps>, 'operationId' | 'summary'> & { method: 'post' | 'delete'; message: string },
): Route<JobsDeps> {
	return route({
		...shared,
		...change,
		path,
		writers: 'office',
		params,
		output: contextJobs,
		errors: changeErrors,
		handler: async (request, deps) => {
			await deps.sessions.requireLive(sessionCaller(request));
			const { context: name, id } = request.params;
			const context = deps.contexts.find((each) => each.name === name && each.attached === undefined);
			if (context === undefined) throw apiError('NOT_FOUND', { message: 'There is no such context.' });
			try {
				return await call(deps, context, {
					method: change.method,
					path: change.method === 'post' ? `/jobs/${id}/retry` : `/jobs/${id}`,
					authorization: request.headers['authorization'],
				});
			} catch (error) {
				throw failureOf(error);
			}
		},
	});
}

type Authorization = string | string[] | undefined;

/** Undefined for a context without jobs. The service checks the caller's token itself. */
async function jobsOf(
	deps: JobsDeps,
	context: Context,
	authorization: Authorization,
): Promise<ContextJobs | undefined> {
	try {
		return await call(deps, context, { method: 'GET', path: '/jobs', authorization });
	} catch (error) {
		if (isAxiosError(error) && error.response?.status === 404) return undefined;
		const message = error instanceof NoInstanceError ? 'No instance' : reasonOf(error);
		return { context: context.name, responds: false, message, queues: [], deadLetters: [] };
	}
}

function failureOf(error: unknown): ApiError {
	const isUnknown = isAxiosError(error) && error.response?.status === 404;
	if (isUnknown) return apiError('NOT_FOUND', { message: 'There is no such job.' });
	return apiError('SERVICE_UNAVAILABLE', { cause: error, retryAfterMs: 2_000 });
}

class NoInstanceError extends Error {}

/** One instance is enough: all have the same database. @throws the error of the last one */
async function call(
	{ table, serviceClient }: JobsDeps,
	context: Context,
	request: { readonly method: string; readonly path: string; readonly authorization: Authorization },
): Promise<ContextJobs> {
	const { method, path, authorization } = request;
	const [upstream] = table.upstreams(context.service);
	if (upstream === undefined) throw new NoInstanceError(`${context.service} has no instance.`);
	const response = await serviceClient.request(context.service, {
		method,
		url: `${upstream.instance.url}${path}`,
		headers: { authorization: String(authorization) },
	});
	const { queues, deadLetters } = pageOfService.parse(response.data).data;
	return { context: context.name, responds: true, queues, deadLetters };
}
