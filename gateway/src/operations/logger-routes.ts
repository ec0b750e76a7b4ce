import { apiError, commonErrors } from '@paddock/contract';
import {
	type AdjustableLogLevel,
	administratorsOnly,
	changeLogLevel,
	logLevelChange,
	type Route,
	routesWith,
} from '@paddock/service';
import { z } from 'zod';
import { type LiveSessions, sessionCaller } from '../authentication/live-sessions.ts';
import { loggers } from './introspection-schemas.ts';
import type { ServiceLoggers } from './service-loggers.ts';

export interface LoggerDeps {
	readonly sessions: LiveSessions;
	/** Of this process. */
	readonly logLevel: AdjustableLogLevel;
	readonly serviceLoggers: ServiceLoggers;
}

const route = routesWith<LoggerDeps>('operations');
const shared = {
	cacheControl: 'no-store',
	access: administratorsOnly,
	output: loggers,
} as const;

/** `/loggers`: log levels of this gateway and of the services behind it. */
export function loggerRoutes(prefix: `/${string}`): readonly Route<LoggerDeps>[] {
	return [
		route({
			...shared,
			method: 'get',
			path: `${prefix}/loggers`,
			operationId: 'loggers',
			summary: 'Log levels of this gateway process and of all service processes',
			message: 'Log levels by process',
			handler: async (request, { logLevel, serviceLoggers }) => [
				logLevel.state(),
				...(await serviceLoggers.list(sessionCaller(request))),
			],
		}),
		route({
			...shared,
			method: 'post',
			path: `${prefix}/loggers/{name}`,
			operationId: 'changeLogLevel',
			summary: 'Change the log level of this gateway process, or of the processes of a context, for a time',
			description:
				'`gateway` is the process that responds; with several gateways, call each on its own address. A restarted process has LOG_LEVEL again.',
			params: z.object({
				name: z.string().meta({ example: 'gateway', description: '`gateway` or the name of a context.' }),
			}),
			query: z.strictObject({
				instance: z.string().optional().meta({ description: 'Id of one instance, as in the list.' }),
			}),
			body: logLevelChange,
			errors: { NOT_FOUND: commonErrors.NOT_FOUND, SERVICE_UNAVAILABLE: commonErrors.SERVICE_UNAVAILABLE },
			message: 'Log levels of the processes concerned',
			handler: async (request, { logLevel, serviceLoggers, sessions }) => {
				const { params, query, body, principal, now } = request;
				const caller = sessionCaller(request);
				await sessions.requireLive(caller);
				if (params.name === logLevel.state().name && query.instance === undefined)
					return [changeLogLevel(logLevel, body, { userId: principal.userId, now })];
				const target = { context: params.name, instance: query.instance };
				const changed = await serviceLoggers.change(target, body, caller);
				if (changed === undefined)
					throw apiError('NOT_FOUND', { message: 'Process not found; the list of loggers names all.' });
				return changed;
			},
		}),
	];
}
