import { successEnvelope } from '@paddock/contract';
import { exposition, type Metrics } from '@paddock/telemetry';
import express, { type RequestHandler, type Router } from 'express';
import { requestContextOf } from '../http/request-context.ts';
import { otherMethod } from '../routes/mount-routes.ts';

export interface HealthCheck {
	readonly name: string;
	/** Rejects if the dependency doesn't work; must settle within its own time-out. */
	readonly check: () => Promise<void>;
	/** What it can't do although it works, e.g. because its disk is full: DEGRADED, but ready. Must settle within its time-out. */
	readonly limitation?: () => Promise<string | undefined>;
	/** Shown while it works. */
	readonly details?: () => CheckDetails;
	/** The public description of a rejection, without addresses and names; 'no valid response' by default. */
	readonly describe?: (error: unknown) => string;
	/** True if the service works without the dependency: a rejection is then DEGRADED and doesn't affect readiness. */
	readonly optional?: true;
}

type CheckDetails = Readonly<Record<string, number>>;

/** The peers that can't be called normally at the moment, with their circuit breakers' states. */
export type FailingPeers = () => Readonly<Record<string, string>>;

interface HealthOptions {
	readonly checks: readonly HealthCheck[];
	readonly draining: () => boolean;
	readonly failingPeers?: FailingPeers;
	readonly metrics: Metrics;
	readonly now: () => Date;
}

/** The paths that report the state of the process itself. */
export const healthPaths = ['/health', '/health/readiness', '/health/liveness', '/metrics'] as const;

type HealthPath = (typeof healthPaths)[number];

type CheckResult =
	| { readonly status: 'UP'; readonly details?: CheckDetails }
	| {
			readonly status: 'DOWN' | 'DEGRADED';
			readonly details: { readonly error: string };
			/** Set for a required dependency only. */
			readonly isLimited?: true;
	  };

/**
 * `/health` and `/health/readiness` (200 or 503): all required checks pass and the process isn't draining; optional checks
 * and degraded peers are reported but don't affect readiness. `components` has the checks in the format of Spring Boot Actuator
 * (https://docs.spring.io/spring-boot/api/rest/actuator/health.html). `/health/liveness`: the process responds, whatever the state of a database.
 * `/metrics`: Prometheus text or OpenMetrics.
 */
export function healthRoutes(options: HealthOptions): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	const pages: Record<HealthPath, RequestHandler> = {
		'/health': readiness(options),
		'/health/readiness': readiness(options),
		'/health/liveness': (_req, res) => {
			res.json(successEnvelope({ status: 'UP' }, 'Alive', options.now()));
		},
		'/metrics': async (req, res) => {
			const { type, text } = await exposition(options.metrics.registry, req.headers.accept);
			res.vary('Accept').type(type).send(text);
		},
	};
	for (const path of healthPaths) {
		router.get(path, (req, res, next) => {
			requestContextOf(req).route = path;
			res.setHeader('Cache-Control', 'no-store');
			next();
		});
		router.get(path, pages[path]);
		router.all(path, otherMethod(path, ['get']));
	}
	return router;
}

function readiness(options: HealthOptions): RequestHandler {
	return async function readiness(_req, res): Promise<void> {
		const results = await Promise.all(options.checks.map(runCheck));
		const components = Object.fromEntries(
			results.map(([name, { status, details }]) => [
				name,
				details === undefined ? { status } : { status, details },
			]),
		);
		const draining = options.draining();
		const up = results.every(([, { status }]) => status !== 'DOWN') && !draining;
		const peers = options.failingPeers?.() ?? {};
		const failing = Object.keys(peers).length === 0 ? {} : { peers };
		const isLimited = results.some(([, result]) => 'isLimited' in result);
		const status = isLimited ? 'DEGRADED' : 'UP';
		const data = { status: up ? status : 'DOWN', draining, components, ...failing };
		res
			.status(up ? 200 : 503)
			.json({ ...successEnvelope(data, describe(results, draining), options.now()), success: up });
	};
}

function describe(results: readonly NamedResult[], draining: boolean): string {
	if (draining) return 'Shutting down';
	const textsOf = (matches: (result: CheckResult) => boolean) =>
		results.flatMap(([name, result]) =>
			matches(result) && result.status !== 'UP' ? [`${name}: ${result.details.error}`] : [],
		);
	const failures = textsOf(({ status }) => status === 'DOWN');
	if (failures.length > 0) return `Not ready; ${failures.join('; ')}`;
	return ['Ready', ...textsOf((result) => 'isLimited' in result)].join('; ');
}

type NamedResult = readonly [name: string, result: CheckResult];

async function runCheck(of: HealthCheck): Promise<NamedResult> {
	const { name, check, limitation, details, describe, optional } = of;
	try {
		await check();
		const error = await limitation?.();
		if (error !== undefined) return [name, { status: 'DEGRADED', details: { error }, isLimited: true }];
		return [name, { status: 'UP', ...(details && { details: details() }) }];
	} catch (error) {
		// The cause is logged at its source; a driver's message may contain addresses and must not be public.
		const failure = { error: describe?.(error) ?? 'no valid response' };
		return [name, { status: optional === true ? 'DEGRADED' : 'DOWN', details: failure }];
	}
}
