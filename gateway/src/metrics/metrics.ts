import { type ForwardingHeader, forwardingHeaders } from '@paddock/service';
import {
	createCounter,
	createHistogram,
	createMetrics,
	durationBucketsSeconds,
	type Metrics,
	seriesBy,
} from '@paddock/telemetry';
import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client';
import type { Context } from '../contexts/context.ts';
import { otherRoute } from '../contexts/route-table.ts';

const sessionCheckOutcomes = ['live', 'revoked', 'unavailable', 'aborted'] as const;
export type SessionCheckOutcome = (typeof sessionCheckOutcomes)[number];

export interface GatewayMetrics extends Metrics {
	/** Removes the series of routes and services that are not in these contexts any more. */
	follow(contexts: readonly Context[]): void;
	observeUpstream(service: string, durationMs: number): void;
	countFailure(service: string, failure: string): void;
	countRetry(service: string, failure: string): void;
	countTransition(service: string, from: string, to: string): void;
	countRateLimit(policy: string, outcome: 'allowed' | 'limited'): void;
	countRateLimitFallback(): void;
	countSessionCheck(outcome: SessionCheckOutcome): void;
	/** An element of a forwarding header of a trusted proxy is not usable. */
	countUnusableForwarding(header: ForwardingHeader): void;
	countRefusal(code: string): void;
	requestsInFlight(inFlight: number): void;
	requestBodyBytes(bytes: number): void;
}

/** The label `context` of the gateway's own pages and of unmatched addresses. */
const ownContext = 'gateway';

const breakerTransitions = [
	['CLOSED', 'OPEN'],
	['OPEN', 'HALF_OPEN'],
	['HALF_OPEN', 'OPEN'],
	['HALF_OPEN', 'CLOSED'],
	['OPEN', 'CLOSED'],
] as const;

interface GatewayMetricsOptions {
	readonly contexts: readonly Context[];
	readonly ratePolicies: readonly string[];
	/** Called for each route and service that `follow` has removed. */
	readonly onGone?: ((label: 'route' | 'upstream', value: string) => void) | undefined;
}

/** The counters and histograms of the gateway. Known series begin with 0: `increase()` would miss the first event otherwise. */
export function createGatewayMetrics(options: GatewayMetricsOptions): GatewayMetrics {
	const { contexts, ratePolicies, onGone = () => undefined } = options;
	const byRoute = new Map(contextsByRoute(contexts));
	const metrics = createMetrics({
		prefix: 'gateway',
		service: 'gateway',
		contextOf: (route) => byRoute.get(route) ?? ownContext,
	});
	const { registry } = metrics;
	const upstreams = createHistogram({
		name: 'gateway_upstream_duration_seconds',
		help: 'Seconds from the choice of an instance to its response headers.',
		labelNames: ['upstream'],
		buckets: durationBucketsSeconds,
		registry,
	});
	const upstream = seriesBy((service) => upstreams({ upstream: service }));
	const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
		new Counter({ name: `gateway_${name}`, help, labelNames, registers: [registry] });
	const ofFailure = ['upstream', 'failure'] as const;
	const failures = counter('upstream_failures_total', 'Failed attempts, by failure.', ofFailure);
	const retries = counter('retries_total', 'Attempts made again, by what failed before.', ofFailure);
	const ofChange = ['upstream', 'from', 'to'] as const;
	const transitions = counter('circuit_breaker_transitions_total', 'Changes of breaker state.', ofChange);
	const sessionChecks = counter('session_checks_total', 'Live checks of administrative writes, by outcome.', [
		'outcome',
	]);
	for (const outcome of sessionCheckOutcomes) sessionChecks.inc({ outcome }, 0);
	const followServices = followedServices(contexts, transitions, (service) => {
		onGone('upstream', service);
		upstream.forget(service);
		upstreams.forget((labels) => labels['upstream'] === service);
		for (const each of [failures, retries, transitions]) void removeSeries(each, service);
	});
	const fallbackHelp = 'Requests counted in memory because Redis was unavailable.';
	const fallbacks = counter('rate_limit_fallback_total', fallbackHelp, []);
	return {
		...metrics,
		follow: (next) => {
			followRoutes(byRoute, next, (route) => {
				metrics.forgetRoute(route);
				onGone('route', route);
			});
			followServices(next);
		},
		observeUpstream: (service, durationMs) => upstream(service).observe(durationMs / 1000),
		countFailure: (service, failure) => failures.inc({ upstream: service, failure }),
		countRetry: (service, failure) => retries.inc({ upstream: service, failure }),
		countTransition: (service, from, to) => transitions.inc({ upstream: service, from, to }),
		countRateLimit: rateLimitCounts(registry, ratePolicies),
		countRateLimitFallback: () => fallbacks.inc(),
		countRefusal: refusalCounts(registry),
		countUnusableForwarding: unusableForwardingCounts(registry),
		countSessionCheck: (outcome) => sessionChecks.inc({ outcome }),
		requestsInFlight: scraped(
			registry,
			'requests_in_flight',
			'Requests in flight, except liveness and readiness.',
		),
		requestBodyBytes: scraped(
			registry,
			'request_body_buffer_bytes',
			'Memory that request bodies occupy until they have been forwarded.',
		),
	};
}

/** Calls `forget` for each route that has another context now, or none. */
function followRoutes(
	byRoute: Map<string, string>,
	contexts: readonly Context[],
	forget: (route: string) => void,
): void {
	const next = contextsByRoute(contexts);
	// Also of a new one: a request that ended after its route was removed may have made a series with another context.
	for (const route of new Set([...byRoute.keys(), ...next.keys()])) {
		const context = next.get(route);
		if (context === byRoute.get(route)) continue;
		if (context === undefined) byRoute.delete(route);
		else byRoute.set(route, context);
		forget(route);
	}
}

/** Begins the transitions of each service with 0, and calls `forget` for one that is gone. */
function followedServices(
	contexts: readonly Context[],
	transitions: Counter<'upstream' | 'from' | 'to'>,
	forget: (service: string) => void,
): (contexts: readonly Context[]) => void {
	let services = new Set<string>();
	const follow = (next: readonly Context[]): void => {
		const former = services;
		services = new Set(next.map(({ service }) => service));
		for (const service of [...services].filter((each) => !former.has(each)))
			for (const [from, to] of breakerTransitions) transitions.inc({ upstream: service, from, to }, 0);
		for (const service of former) if (!services.has(service)) forget(service);
	};
	follow(contexts);
	return follow;
}

async function removeSeries(counter: Counter<string>, service: string): Promise<void> {
	const { values } = await counter.get();
	for (const { labels } of values) {
		// The registry adds its default label to the series that it has returned as JSON; `remove` refuses it.
		const { service: _, ...own } = labels;
		if (own['upstream'] === service) counter.remove(own);
	}
}

function contextsByRoute(contexts: readonly Context[]): ReadonlyMap<string, string> {
	return new Map(
		contexts.flatMap((context) =>
			[...context.paths, otherRoute(context)].map((route) => [route, context.name] as const),
		),
	);
}

export type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

export type AddGauge = (
	name: string,
	help: string,
	read: () => number | Samples,
	labelNames?: string[],
) => void;

/** Adds gauges that are computed when they are scraped; `aggregator` merges those of several processes. */
export function gaugesIn(registry: Registry, aggregator: Aggregator = 'max'): AddGauge {
	return (name, help, read, labelNames = []) => {
		new Gauge({
			name: `gateway_${name}`,
			help,
			labelNames,
			registers: [registry],
			aggregator,
			collect() {
				this.reset();
				const found = read();
				if (typeof found === 'number') this.set(found);
				else for (const [labels, value] of found) this.set({ ...labels }, value);
			},
		});
	};
}

/** A gauge whose value changes with each request, passed to prom-client only when it is scraped. */
function scraped(registry: Registry, name: string, help: string): (value: number) => void {
	let current = 0;
	gaugesIn(registry, 'sum')(name, help, () => current);
	return (value) => {
		current = value;
	};
}

/** Refusals can be as frequent as requests; their codes are those of a closed list. */
function unusableForwardingCounts(registry: Registry): GatewayMetrics['countUnusableForwarding'] {
	const counter = new Counter({
		name: 'gateway_unusable_forwarding_headers_total',
		help: 'Elements of forwarding headers of trusted proxies that are not usable.',
		labelNames: ['header'],
		registers: [registry],
	});
	for (const header of forwardingHeaders) counter.inc({ header }, 0);
	return (header) => counter.inc({ header });
}

function refusalCounts(registry: Registry): GatewayMetrics['countRefusal'] {
	const refusals = createCounter({
		name: 'gateway_refusals_total',
		help: 'Error responses of the gateway itself, by code.',
		labelNames: ['code'],
		registry,
	});
	const bound = seriesBy((code) => refusals({ code }));
	return (code) => bound(code).inc();
}

function rateLimitCounts(registry: Registry, policies: readonly string[]): GatewayMetrics['countRateLimit'] {
	const counted = createCounter({
		name: 'gateway_rate_limit_total',
		help: 'Requests that were held against a limit, by outcome.',
		labelNames: ['policy', 'outcome'],
		registry,
	});
	const bind = (policy: string) => ({
		allowed: counted({ policy, outcome: 'allowed' }),
		limited: counted({ policy, outcome: 'limited' }),
	});
	const bound = seriesBy(bind, policies);
	return (policy, outcome) => bound(policy)[outcome].inc();
}
