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

export interface LoggerDeps {
	readonly sessions: LiveSessions;
	readonly logLevel: AdjustableLogLevel;
}

const route = routesWith<LoggerDeps>('operations');
const shared = {
	cacheControl: 'no-store',
	access: administratorsOnly,
	output: loggers,
} as const;

/** `/loggers`: the log level of this gateway. Each service has its own page. */
export function loggerRoutes(prefix: `/${string}`): readonly Route<LoggerDeps>[] {
	return [
		route({
			...shared,
			method: 'get',
			path: `${prefix}/loggers`,
			operationId: 'loggers',
			readers: 'office',
			summary: 'Log level of this gateway',
			message: 'Log level of this gateway',
			handler: (_request, { logLevel }) => [logLevel.state()],
		}),
		route({
			...shared,
			method: 'post',
			path: `${prefix}/loggers/{name}`,
			operationId: 'changeLogLevel',
			writers: 'office',
			summary: 'Change the log level of this gateway for a time',
			description:
				'It is the gateway that responds, with its workers; call each gateway, and `/loggers` of each service, on its own address. A restarted process has LOG_LEVEL again.',
			params: z.object({
				name: z.string().meta({ example: 'gateway', description: '`gateway`; no other name is found.' }),
			}),
			body: logLevelChange,
			errors: { NOT_FOUND: commonErrors.NOT_FOUND, SERVICE_UNAVAILABLE: commonErrors.SERVICE_UNAVAILABLE },
			message: 'Log level of this gateway',
			handler: async (request, { logLevel, sessions }) => {
				const { params, body, principal, now } = request;
				await sessions.requireLive(sessionCaller(request));
				if (params.name !== logLevel.state().name)
					throw apiError('NOT_FOUND', {
						message: 'Only `gateway` is found here; change the level of a service at its own /loggers.',
					});
				return [changeLogLevel(logLevel, body, { userId: principal.userId, now })];
			},
		}),
	];
}
