import { createMetrics, durationBucketsSeconds, type Metrics } from '@paddock/telemetry';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { RatePolicy } from '../edge/rate-limit.ts';
import type { FailureKind } from '../proxy/failures.ts';
import type { BreakerState } from '../resilience/instance-breaker.ts';

/** What an upstream attempt failed with: a failure, or an answer whose status says that the service can't work. */
export type FailureLabel = FailureKind | 'failureStatus';

/** The state of one instance at the time of a scrape. */
export interface InstanceSample {
	readonly service: string;
	readonly instance: string;
	readonly state: BreakerState;
	readonly inFlight: number;
}

/** The state of discovery for one service at the time of a scrape. */
export interface DiscoverySample {
	readonly service: string;
	readonly instances: number;
	readonly stale: boolean;
	/** Undefined before the first answer. */
	readonly ageSeconds: number | undefined;
}

export interface GatewayMetrics extends Metrics {
	observeUpstream(service: string, durationMs: number): void;
	countFailure(service: string, failure: FailureLabel): void;
	countRetry(service: string, failure: FailureLabel): void;
	countTransition(service: string, from: BreakerState, to: BreakerState): void;
	countRateLimited(policy: RatePolicy): void;
	/** Gauges are read when somebody scrapes; series of instances that are gone disappear. */
	onScrape(sources: {
		instances: () => readonly InstanceSample[];
		discovery: () => readonly DiscoverySample[];
	}): void;
}

const stateValue: Readonly<Record<BreakerState, number>> = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 };

export function createGatewayMetrics(): GatewayMetrics {
	const metrics = createMetrics({ prefix: 'gateway', service: 'gateway' });
	const registers = [metrics.registry];
	const upstream = new Histogram({
		name: 'gateway_upstream_duration_seconds',
		help: 'Seconds from the choice of an instance to its response headers.',
		labelNames: ['upstream'] as const,
		buckets: durationBucketsSeconds,
		registers,
	});
	const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
		new Counter({ name, help, labelNames, registers });
	const failures = counter('gateway_upstream_failures_total', 'Failed attempts, by failure.', [
		'upstream',
		'failure',
	]);
	const retries = counter('gateway_retries_total', 'Attempts made again, by what failed before.', [
		'upstream',
		'failure',
	]);
	const transitions = counter('gateway_circuit_breaker_transitions_total', 'Changes of breaker state.', [
		'upstream',
		'from',
		'to',
	]);
	const limited = counter('gateway_rate_limited_total', 'Requests refused with 429, by policy.', ['policy']);
	return {
		...metrics,
		observeUpstream: (service, durationMs) => upstream.observe({ upstream: service }, durationMs / 1000),
		countFailure: (service, failure) => failures.inc({ upstream: service, failure }),
		countRetry: (service, failure) => retries.inc({ upstream: service, failure }),
		countTransition: (service, from, to) => transitions.inc({ upstream: service, from, to }),
		countRateLimited: (policy) => limited.inc({ policy }),
		onScrape: (sources) => {
			instanceGauges(registers, sources.instances);
			discoveryGauges(registers, sources.discovery);
		},
	};
}

function instanceGauges(registers: Metrics['registry'][], read: () => readonly InstanceSample[]): void {
	const labelNames = ['upstream', 'instance'] as const;
	new Gauge({
		name: 'gateway_circuit_breaker_state',
		help: 'Breaker of an instance: 0 closed, 1 half-open, 2 open.',
		labelNames,
		registers,
		collect() {
			this.reset();
			for (const { service, instance, state } of read())
				this.set({ upstream: service, instance }, stateValue[state]);
		},
	});
	new Gauge({
		name: 'gateway_upstream_in_flight',
		help: 'Attempts under way at an instance.',
		labelNames,
		registers,
		collect() {
			this.reset();
			for (const { service, instance, inFlight } of read())
				this.set({ upstream: service, instance }, inFlight);
		},
	});
}

function discoveryGauges(registers: Metrics['registry'][], read: () => readonly DiscoverySample[]): void {
	const labelNames = ['upstream'] as const;
	const gauge = (name: string, help: string, value: (sample: DiscoverySample) => number | undefined) =>
		new Gauge({
			name,
			help,
			labelNames,
			registers,
			collect() {
				this.reset();
				for (const sample of read()) {
					const number = value(sample);
					if (number !== undefined) this.set({ upstream: sample.service }, number);
				}
			},
		});
	gauge('gateway_instances', 'Known instances of a service.', ({ instances }) => instances);
	gauge(
		'gateway_discovery_age_seconds',
		'Seconds since the registry vouched for the instances.',
		({ ageSeconds }) => ageSeconds,
	);
	gauge('gateway_discovery_stale', '1 while the instances are the last known ones.', ({ stale }) =>
		stale ? 1 : 0,
	);
}
