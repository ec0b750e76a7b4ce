import { type Route, routesWith } from '@paddock/service';
import { pong } from './schemas.ts';

export interface PingDeps {
	readonly instance: string;
	readonly uptimeSeconds: () => number;
}

const route = routesWith<PingDeps>('ping');

export const pingRoutes: readonly Route<PingDeps>[] = [
	route({
		method: 'get',
		path: '/api/ping',
		operationId: 'ping',
		summary: 'Check the path through the gateway',
		access: 'public',
		output: pong,
		message: 'pong',
		cacheControl: 'no-store',
		handler: ({ now }, { instance, uptimeSeconds }) => ({
			reply: 'pong' as const,
			instance,
			uptimeSeconds: uptimeSeconds(),
			at: now.toISOString(),
		}),
	}),
];
