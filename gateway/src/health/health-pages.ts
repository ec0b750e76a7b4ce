import { apiError, successEnvelope } from '@paddock/contract';
import express, { type Request, type Response, type Router } from 'express';
import { clientNetwork } from '../edge/client-network.ts';
import { exchangeOf } from '../exchange.ts';
import type { HealthView } from './combined-health.ts';
import { briefChange, briefHealth, type HealthDetails } from './health-details.ts';
import type { HealthHistory } from './health-history.ts';
import type { HealthStream } from './health-stream.ts';
import type { LatencySamples } from './latency-samples.ts';
import type { HealthStatus } from './probe.ts';

export interface HealthPagesDeps {
	readonly view: HealthView;
	readonly history: HealthHistory;
	readonly stream: HealthStream;
	readonly samples: LatencySamples;
	readonly details: HealthDetails;
	/** The registry has responded and the process isn't shutting down. */
	readonly ready: () => boolean;
	readonly draining: () => boolean;
	readonly now: () => Date;
}

/**
 * The pages at and below `/health`. 503 if the status is DOWN. Liveness concerns this process only: gateways must not be
 * restarted because the registry is down.
 */
export function healthPages(prefix: string, deps: HealthPagesDeps): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	const send = (res: Response, route: string, status: HealthStatus, data: object): void => {
		exchangeOf(res.req).route = `${prefix}${route}`;
		const up = status !== 'DOWN';
		res.setHeader('Cache-Control', 'no-store');
		res
			.status(up ? 200 : 503)
			.json({ ...successEnvelope(data, `Status ${status}`, deps.now()), success: up });
	};
	const read = async (req: Request) => {
		const details = await deps.details.visibleTo(req);
		const { health } = await deps.view.read();
		return details ? health : briefHealth(health);
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
		const details = await deps.details.visibleTo(req);
		const changes = deps.history.list();
		const items = details ? changes : changes.map(briefChange);
		res.setHeader('Cache-Control', 'no-store');
		res.json(successEnvelope({ items }, 'The last changes of state, the newest first', deps.now()));
	});
	router.get(`${prefix}/health/samples`, async (req, res) => {
		exchangeOf(req).route = `${prefix}/health/samples`;
		const details = await deps.details.visibleTo(req);
		const { slotMs, slotsMax } = deps.samples;
		const contexts = details ? deps.samples.read() : {};
		res.setHeader('Cache-Control', 'no-store');
		res.json(successEnvelope({ slotMs, slotsMax, contexts }, 'Latencies of the last minutes', deps.now()));
	});
	router.get(`${prefix}/health/stream`, (req, res) => {
		exchangeOf(req).route = `${prefix}/health/stream`;
		if (req.method === 'HEAD') {
			res.type('text/event-stream').end();
			return;
		}
		const network = clientNetwork(exchangeOf(req).clientAddress);
		const listener = {
			network,
			seesDetails: () => deps.details.visibleTo(req),
			eventsMax: eventsWanted(req.url),
		};
		deps.stream.add(res, listener);
	});
	router.get(`${prefix}/health/:component`, async (req, res) => {
		const { components } = await read(req);
		const name = req.params['component'] ?? '';
		const component = Object.hasOwn(components, name) ? components[name] : undefined;
		if (component === undefined) {
			throw apiError('NOT_FOUND', {
				message: 'There is no such component.',
				context: { components: Object.keys(components) },
			});
		}
		send(res, '/health/{component}', component.status, component);
	});
	return router;
}

/** `?events=3` ends the stream after three events, for scripts; without it the stream doesn't end. */
function eventsWanted(url: string): number | undefined {
	const [, query = ''] = url.split('?');
	const events = new URLSearchParams(query).get('events');
	if (events === null) return undefined;
	if (/^[1-9]\d{0,5}$/.test(events)) return Number(events);
	throw apiError('INVALID_QUERY_PARAMETER', {
		errors: [{ field: 'events', code: 'INVALID_RANGE', message: 'must be a whole number from 1 to 999999' }],
	});
}
