import { successEnvelope } from '@paddock/contract';
import type { Metrics } from '@paddock/telemetry';
import express, { type RequestHandler, type Router } from 'express';
import { otherMethod } from './other-method.ts';
import { contextOf } from './request-context.ts';

/** A dependency of a service. `check` rejects when it doesn't work; it must settle within its own time-out. */
export interface HealthCheck {
	readonly name: string;
	readonly check: () => Promise<void>;
}

/** The peers that can't be called normally at the moment, with their circuit breakers' states. */
export type TroubledPeers = () => Readonly<Record<string, string>>;

interface HealthOptions {
	readonly checks: readonly HealthCheck[];
	readonly draining: () => boolean;
	readonly troubledPeers?: TroubledPeers;
	readonly metrics: Metrics;
	readonly now: () => Date;
}

/** The paths that report the state of the process itself. */
export const healthPaths = ['/health', '/health/readiness', '/health/liveness', '/metrics'] as const;

type HealthPath = (typeof healthPaths)[number];

type CheckResult = { status: 'UP' } | { status: 'DOWN'; message: string };

/**
 * `/health` and `/health/readiness` (200 or 503): all checks pass and the process isn't draining; degraded peers are
 * reported but don't affect readiness. `/health/liveness`: the process responds, whatever the state of a database.
 * `/metrics`: Prometheus text.
 */
export function healthRoutes(options: HealthOptions): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	const pages: Record<HealthPath, RequestHandler> = {
		'/health': readiness(options),
		'/health/readiness': readiness(options),
		'/health/liveness': (_req, res) => {
			res.json(successEnvelope({ status: 'UP' }, 'Alive', options.now()));
		},
		'/metrics': async (_req, res) => {
			const text = await options.metrics.registry.metrics();
			res.type(options.metrics.registry.contentType).send(text);
		},
	};
	for (const path of healthPaths) {
		router.get(path, (req, res, next) => {
			contextOf(req).route = path;
			res.setHeader('Cache-Control', 'no-store');
			next();
		});
		router.get(path, pages[path]);
		router.all(path, otherMethod(path, ['get'], options));
	}
	return router;
}

function readiness(options: HealthOptions): RequestHandler {
	return async function readiness(_req, res): Promise<void> {
		const results = await Promise.all(options.checks.map(runCheck));
		const checks = Object.fromEntries(options.checks.map((check, index) => [check.name, results[index]]));
		const draining = options.draining();
		const up = results.every((result) => result.status === 'UP') && !draining;
		const peers = options.troubledPeers?.() ?? {};
		const trouble = Object.keys(peers).length === 0 ? {} : { peers };
		const data = { status: up ? 'UP' : 'DOWN', draining, checks, ...trouble };
		res
			.status(up ? 200 : 503)
			.json({ ...successEnvelope(data, describe(up, draining), options.now()), success: up });
	};
}

function describe(up: boolean, draining: boolean): string {
	if (draining) return 'Shutting down';
	return up ? 'Ready' : 'Not ready';
}

async function runCheck(check: HealthCheck): Promise<CheckResult> {
	try {
		await check.check();
		return { status: 'UP' };
	} catch {
		// The cause is logged at its source; a driver's message may contain addresses and must not be public.
		return { status: 'DOWN', message: `${check.name} does not respond` };
	}
}
