import { hostname } from 'node:os';
import type { OpenedService } from '@paddock/service';
import { type PingDeps, pingRoutes } from './routes.ts';

/** What the ping service brings. It keeps nothing, so there is nothing to check and nothing to close. */
export function openPing(): OpenedService<PingDeps> {
	return {
		routes: pingRoutes,
		deps: { instance: `${hostname()}:${process.pid}`, uptimeSeconds: () => process.uptime() },
		checks: [],
		close: async () => {},
	};
}
