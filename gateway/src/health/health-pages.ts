import { fail, succeeded } from '@paddock/contract';
import express, { type Response, type Router } from 'express';
import { exchangeOf } from '../exchange.ts';
import type { HealthView } from './combined-health.ts';
import type { HealthStatus } from './probe.ts';

export interface HealthPagesDeps {
	readonly view: HealthView;
	/** The registry has answered and the process isn't on its way out. */
	readonly ready: () => boolean;
	readonly draining: () => boolean;
	readonly now: () => Date;
}

/**
 * `/health`, `/health/{component}`, `/health/liveness` and `/health/readiness` below the prefix. 503 where the
 * status is DOWN. Liveness is about this process alone: a registry that is down must not get gateways restarted.
 */
export function healthPages(prefix: string, deps: HealthPagesDeps): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	const send = (res: Response, route: string, status: HealthStatus, data: object): void => {
		exchangeOf(res.req).route = `${prefix}${route}`;
		const up = status !== 'DOWN';
		res.setHeader('Cache-Control', 'no-store');
		res.status(up ? 200 : 503).json({ ...succeeded(data, `Status ${status}`, deps.now()), success: up });
	};
	router.get(`${prefix}/health`, async (_req, res) => {
		const health = await deps.view.read();
		send(res, '/health', health.status, health);
	});
	router.get(`${prefix}/health/liveness`, (_req, res) =>
		send(res, '/health/liveness', 'UP', { status: 'UP' }),
	);
	router.get(`${prefix}/health/readiness`, (_req, res) => {
		const status = deps.ready() && !deps.draining() ? 'UP' : 'DOWN';
		send(res, '/health/readiness', status, { status, draining: deps.draining() });
	});
	router.get(`${prefix}/health/:component`, async (req, res) => {
		const { components } = await deps.view.read();
		const name = req.params.component;
		const component = Object.hasOwn(components, name) ? components[name] : undefined;
		if (component === undefined) {
			throw fail('NOT_FOUND', {
				message: 'There is no such component.',
				context: { components: Object.keys(components) },
			});
		}
		send(res, '/health/{component}', component.status, component);
	});
	return router;
}
