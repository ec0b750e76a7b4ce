import { type ApiError, apiError, commonErrors } from '@paddock/contract';
import { administratorsOnly, idParameters, type Route, routesWith } from '@paddock/service';
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

const queue = z
	.strictObject({
		queue: z.string().describe('Name of the queue.'),
		ready: z.int().min(0).describe('Jobs that could start now.'),
		delayed: z.int().min(0).describe('Jobs that wait for their time, e.g. that of a retry.'),
		active: z.int().min(0).describe('Jobs in progress.'),
		oldestAgeSeconds: z.number().min(0).describe('How long the oldest job that could start has waited.'),
		deadLetters: z.int().min(0).describe('Jobs whose attempts have all failed.'),
	})
	.meta({ id: 'JobQueue', description: 'A queue of jobs of one context.' });

const deadLetter = z
	.strictObject({
		id: z.uuid().describe('UUID of the dead letter.'),
		queue: z.string().describe('Name of the queue.'),
		attempts: z.int().min(0).describe('Number of attempts.'),
		createdAt: z.iso.datetime().describe('When the job was added, in UTC.'),
		failedAt: z.iso.datetime().describe('When the last attempt failed, in UTC.'),
		error: z.string().describe('Message of the last failure.'),
	})
	.meta({ id: 'DeadLetter', description: 'A job whose attempts have all failed.' });

/** The page of one service; it may run another version. */
const pageOfService = z.object({
	data: z.object({ queues: z.array(queue.strip()), deadLetters: z.array(deadLetter.strip()) }),
});

const contextJobs = z
	.strictObject({
		context: z.string().describe('Name of the context.'),
		responds: z.boolean().describe('Whether an instance of its service responded.'),
		message: z.string().optional().describe('Why it did not respond.'),
		queues: z.array(queue).describe('The queues of the context.'),
		deadLetters: z.array(deadLetter).describe('The newest dead letters, at most 200.'),
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
		route({
			...shared,
			method: 'post',
			writers: 'office',
			path: `${prefix}/jobs/{context}/{id}/retry`,
			operationId: 'retryJob',
			summary: 'Move a job that has failed for good back to its queue, with all attempts',
			params,
			output: contextJobs,
			errors: changeErrors,
			message: 'Back in its queue',
			handler: async (request, deps) => {
				await deps.sessions.requireLive(sessionCaller(request));
				return change(deps, request, 'POST', `/jobs/${request.params.id}/retry`);
			},
		}),
		route({
			...shared,
			method: 'delete',
			writers: 'office',
			path: `${prefix}/jobs/{context}/{id}`,
			operationId: 'dropJob',
			summary: 'Remove a job that has failed for good',
			params,
			output: contextJobs,
			errors: changeErrors,
			message: 'Removed',
			handler: async (request, deps) => {
				await deps.sessions.requireLive(sessionCaller(request));
				return change(deps, request, 'DELETE', `/jobs/${request.params.id}`);
			},
		}),
	];
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

interface ChangeRequest {
	readonly params: { readonly context: string };
	readonly headers: Readonly<Record<string, Authorization>>;
}

/** @throws ApiError NOT_FOUND, SERVICE_UNAVAILABLE */
async function change(
	deps: JobsDeps,
	{ params: { context: name }, headers }: ChangeRequest,
	method: 'POST' | 'DELETE',
	path: string,
): Promise<ContextJobs> {
	const context = deps.contexts.find((each) => each.name === name && each.attached === undefined);
	if (context === undefined) throw apiError('NOT_FOUND', { message: 'There is no such context.' });
	try {
		return await call(deps, context, { method, path, authorization: headers['authorization'] });
	} catch (error) {
		throw failureOf(error);
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
