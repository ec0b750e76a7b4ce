import { Session } from 'node:inspector/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { getHeapSnapshot } from 'node:v8';
import { apiError, commonErrors } from '@paddock/contract';
import { administratorsOnly, type Route, routesWith } from '@paddock/service';
import { z } from 'zod';
import { sessionCaller } from '../authentication/live-sessions.ts';
import type { IntrospectionDeps } from './introspection-routes.ts';

type ProfilingDeps = Pick<IntrospectionDeps, 'sessions' | 'logger'>;

const profileSecondsMax = 30;
const route = routesWith<ProfilingDeps>('operations');
const { CONFLICT, SERVICE_UNAVAILABLE, STEP_UP_REQUIRED } = commonErrors;
const shared = {
	method: 'get',
	readers: 'office',
	cacheControl: 'no-store',
	access: administratorsOnly,
	errors: { CONFLICT, SERVICE_UNAVAILABLE, STEP_UP_REQUIRED },
} as const;
const file = z
	.string()
	.meta({ format: 'binary', description: 'A file for the developer tools of Chromium.' });

/** Heap snapshot and CPU profile of this process: one at a time, each logged with the administrator. */
export function profilingRoutes(prefix: `/${string}`): readonly Route<ProfilingDeps>[] {
	const exclusive = oneAtATime();
	return [
		route({
			...shared,
			path: `${prefix}/heapdump`,
			operationId: 'heapDump',
			summary: 'Heap snapshot of this gateway process; it may contain secrets',
			description:
				'The process is blocked while it takes the snapshot, and needs twice its memory. The file contains tokens and personal data of requests in memory.',
			output: file,
			message: 'Heap snapshot',
			document: 'application/octet-stream',
			handler: async (request, deps) => {
				await requireAdministrator(request, deps, 'heap snapshot requested');
				return (res) =>
					exclusive(async () => {
						res.type('application/octet-stream').attachment('gateway.heapsnapshot');
						await pipeline(getHeapSnapshot(), res).catch((error: unknown) => {
							if (!request.signal.aborted) throw error;
						});
					});
			},
		}),
		route({
			...shared,
			path: `${prefix}/cpuprofile`,
			operationId: 'cpuProfile',
			summary: 'CPU profile of this gateway process over some seconds',
			query: z.strictObject({
				seconds: z.coerce
					.number('must be a whole number')
					.int('must be a whole number')
					.min(1)
					.max(profileSecondsMax)
					.default(5)
					.meta({ description: 'Duration of the profile in seconds.' }),
			}),
			output: file,
			message: 'CPU profile',
			document: 'application/octet-stream',
			fileName: 'gateway.cpuprofile',
			handler: async (request, deps) => {
				await requireAdministrator(request, deps, 'CPU profile requested');
				return exclusive(() => cpuProfile(request.query.seconds * 1_000, request.signal));
			},
		}),
	];
}

async function requireAdministrator(
	request: Parameters<typeof sessionCaller>[0] & { readonly principal: { readonly userId: string } },
	{ sessions, logger }: ProfilingDeps,
	event: string,
): Promise<void> {
	await sessions.requireSteppedUp(sessionCaller(request));
	logger.warn(event, { userId: request.principal.userId, requestId: request.requestId });
}

/** @returns the profile as JSON. Rejects if the client disconnects. */
async function cpuProfile(durationMs: number, signal: AbortSignal): Promise<string> {
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.start');
		await wait(durationMs, undefined, { signal }).catch((cause: unknown) => {
			throw apiError('REQUEST_TIMEOUT', { message: 'The client disconnected.', cause });
		});
		const { profile } = await session.post('Profiler.stop');
		return JSON.stringify(profile);
	} finally {
		session.disconnect();
	}
}

/** Refuses a second task while one runs: together they would stop the process for longer or exhaust its memory. */
function oneAtATime() {
	let running = false;
	return async <Result>(task: () => Promise<Result>): Promise<Result> => {
		if (running) throw apiError('CONFLICT', { message: 'A heap snapshot or CPU profile is being taken.' });
		running = true;
		try {
			return await task();
		} finally {
			running = false;
		}
	};
}
