import { fail, succeeded } from '@paddock/contract';
import express, { type Request, type Response, type Router } from 'express';
import { exchangeOf } from '../exchange.ts';
import type { HealthView } from './combined-health.ts';
import { briefChange, briefHealth, type HealthDetails } from './health-details.ts';
import type { HealthHistory } from './health-history.ts';
import type { HealthStream } from './health-stream.ts';
import type { HealthStatus } from './probe.ts';

export interface HealthPagesDeps {
	readonly view: HealthView;
	readonly history: HealthHistory;
	readonly stream: HealthStream;
	readonly details: HealthDetails;
	/** The registry has answered and the process isn't on its way out. */
	readonly ready: () => boolean;
	readonly draining: () => boolean;
	readonly now: () => Date;
}

/**
 * `/health` and what lies below it. 503 where the status is DOWN. Liveness is about this process alone: a registry
 * that is down must not get gateways restarted.
 */
export function healthPages(prefix: string, deps: HealthPagesDeps): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	const send = (res: Response, route: string, status: HealthStatus, data: object): void => {
		exchangeOf(res.req).route = `${prefix}${route}`;
		const up = status !== 'DOWN';
		res.setHeader('Cache-Control', 'no-store');
		res.status(up ? 200 : 503).json({ ...succeeded(data, `Status ${status}`, deps.now()), success: up });
	};
	const read = async (req: Request) => {
		const until = await deps.details.until(req);
		const { health } = await deps.view.read();
		return until === undefined ? briefHealth(health) : health;
	};
	router.get(`${prefix}/health`, async (req, res) => {
		const health = await read(req);
		send(res, '/health', health.status, health);
	});
	router.get(`${prefix}/health/liveness`, (_req, res) =>
		send(res, '/health/liveness', 'UP', { status: 'UP' }),
	);
	router.get(`${prefix}/health/readiness`, (_req, res) => {
		const status = deps.ready() && !deps.draining() ? 'UP' : 'DOWN';
		send(res, '/health/readiness', status, { status, draining: deps.draining() });
	});
	router.get(`${prefix}/health/history`, async (req, res) => {
		exchangeOf(req).route = `${prefix}/health/history`;
		const until = await deps.details.until(req);
		const changes = deps.history.list();
		const items = until === undefined ? changes.map(briefChange) : changes;
		res.setHeader('Cache-Control', 'no-store');
		res.json(succeeded({ items }, 'The last changes of state, the newest first', deps.now()));
	});
	router.get(`${prefix}/health/stream`, async (req, res) => {
		exchangeOf(req).route = `${prefix}/health/stream`;
		if (req.method === 'HEAD') {
			res.type('text/event-stream').end();
			return;
		}
		const until = await deps.details.until(req);
		if (!res.destroyed) deps.stream.add(res, until);
	});
	router.get(`${prefix}/health/:component`, async (req, res) => {
		const { components } = await read(req);
		const name = req.params['component'] ?? '';
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
