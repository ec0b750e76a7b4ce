import type { ServiceSnapshot } from '@paddock/discovery';
import type { Context } from '../contexts.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { HealthStatus, InstanceHealth, ServiceHealth } from './health-schemas.ts';
import type { ProbeResult } from './probe.ts';

/** The state of one instance after a probe. */
export function instanceHealth(upstream: Upstream, probe: ProbeResult): InstanceHealth {
	const { instance, breaker, inFlight } = upstream;
	const view = breaker.view();
	const known = { id: instance.id, address: `${instance.address}:${instance.port}`, inFlight, breaker: view };
	// It may respond to health probes, but gets no requests.
	if (view.state === 'OPEN' && (probe.status !== 'DOWN' || view.forced !== undefined)) {
		return {
			...probe,
			...known,
			status: 'DOWN',
			reason: 'CIRCUIT_OPEN',
			message:
				view.forced === undefined
					? 'Requests fail; the breaker is open'
					: `Forced open: ${view.forced.reason}`,
		};
	}
	if (view.state === 'HALF_OPEN' && probe.status === 'UP') {
		return {
			...probe,
			...known,
			status: 'DEGRADED',
			reason: 'CIRCUIT_OPEN',
			message: 'Breaker half-open; one request at a time until one succeeds',
		};
	}
	return { ...probe, ...known };
}

/** One context from its instances: all usable = UP, some = DEGRADED, none = DOWN. */
export function serviceHealth(
	context: Context,
	instances: InstanceHealth[],
	snapshot: ServiceSnapshot,
	now: Date,
): ServiceHealth {
	const discovery = {
		stale: snapshot.stale,
		ageSeconds: ageSeconds(snapshot, now) ?? null,
		rejected: snapshot.rejected,
	};
	const base = { critical: context.critical, instances, discovery };
	if (instances.length === 0) {
		return { ...base, status: 'DOWN', reason: 'NO_INSTANCES', message: 'The registry knows no instance' };
	}
	const latencyMs = Math.max(...instances.map((instance) => instance.latencyMs));
	const bad = instances.find((instance) => instance.status !== 'UP');
	if (bad === undefined) return { ...base, status: 'UP', latencyMs };
	return {
		...base,
		status: statusOf(instances),
		latencyMs,
		...(bad.reason === undefined ? {} : { reason: bad.reason }),
		...(bad.statusCode === undefined ? {} : { statusCode: bad.statusCode }),
		...(bad.message === undefined ? {} : { message: bad.message }),
	};
}

function statusOf(instances: readonly InstanceHealth[]): HealthStatus {
	if (instances.every(({ status }) => status === 'DOWN')) return 'DOWN';
	if (instances.every(({ status }) => status === 'UNKNOWN')) return 'UNKNOWN';
	return 'DEGRADED';
}

/** Seconds since the registry confirmed the instances; undefined before its first response. */
export function ageSeconds(snapshot: ServiceSnapshot, now: Date): number | undefined {
	if (snapshot.lastResponseAt === undefined) return undefined;
	return Math.max(0, Math.round((now.getTime() - snapshot.lastResponseAt.getTime()) / 100) / 10);
}
