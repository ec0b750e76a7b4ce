import { succeeded } from '@paddock/contract';
import type { Metrics } from '@paddock/telemetry';
import express, { type Router } from 'express';

/** Something that a service needs. `check` rejects when it doesn't work; it must come back in its own time. */
export interface HealthCheck {
	readonly name: string;
	readonly check: () => Promise<void>;
}

interface HealthOptions {
	readonly checks: readonly HealthCheck[];
	readonly draining: () => boolean;
	readonly metrics: Metrics;
	readonly now: () => Date;
}

type CheckResult = { status: 'UP' } | { status: 'DOWN'; message: string };

/**
 * `/health` and `/health/readiness` (200 or 503): all checks, and not draining. `/health/liveness`: the process
 * answers, whatever the state of a database. `/metrics`: Prometheus text.
 */
export function healthRoutes(options: HealthOptions): Router {
	const router = express.Router();
	router.get(['/health', '/health/readiness'], async (_req, res) => {
		const results = await Promise.all(options.checks.map(runCheck));
		const checks = Object.fromEntries(options.checks.map((check, index) => [check.name, results[index]]));
		const up = results.every((result) => result.status === 'UP') && !options.draining();
		const data = { status: up ? 'UP' : 'DOWN', draining: options.draining(), checks };
		res.setHeader('Cache-Control', 'no-store');
		res
			.status(up ? 200 : 503)
			.json({ ...succeeded(data, describe(up, options.draining()), options.now()), success: up });
	});
	router.get('/health/liveness', (_req, res) => {
		res.setHeader('Cache-Control', 'no-store');
		res.json(succeeded({ status: 'UP' }, 'Alive', options.now()));
	});
	router.get('/metrics', async (_req, res) => {
		const text = await options.metrics.registry.metrics();
		res.type(options.metrics.registry.contentType).send(text);
	});
	return router;
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
		// The cause is logged where it happens; a driver's message may hold addresses and is not for everybody.
		return { status: 'DOWN', message: `${check.name} does not answer` };
	}
}
