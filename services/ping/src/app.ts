import { hostname } from 'node:os';
import type { OpenedService } from '@paddock/service';
import { type PingDeps, pingRoutes } from './routes.ts';

/** The ping service. It is stateless, so it has no checks and nothing to close. */
export function openPing(): OpenedService<PingDeps> {
	return {
		routes: pingRoutes,
		deps: { instance: `${hostname()}:${process.pid}`, uptimeSeconds: () => process.uptime() },
		checks: [],
		close: async () => {},
	};
}
