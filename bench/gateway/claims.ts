import { equalGateways, equalPair, postToGet, tracesPair } from './cases.ts';
import { blockRatio, type Figure, figureOf, groupRatio, type Mean, ratio, roundsOf } from './figures.ts';
import type { LongRun } from './long-run.ts';
import { type CaseResult, type Measurement, oneTokenName } from './run-case.ts';
import type { StreamMemory } from './stream-memory.ts';
import type { WholeSystem } from './whole-system.ts';

/** The results of one run. */
export interface GatewayReport {
	readonly at: string;
	readonly machine: Readonly<Record<string, string | number | boolean>>;
	readonly cases: readonly CaseResult[];
	readonly streaming: readonly StreamMemory[];
	readonly longRun: LongRun | undefined;
	readonly wholeSystem: WholeSystem | undefined;
}

/** A performance guarantee of the gateway, checked against one run. */
export interface Claim {
	readonly guarantee: string;
	readonly measured: string;
	readonly holds: boolean;
}

const rate = (measurement: Measurement): number => measurement.requestsPerSecond;
const cpu = (measurement: Measurement): number => measurement.cpuMicrosecondsPerRequest;
const gatewayToFastify = ['gateway', 'fastify'] as const;

/** The guarantees of the parts that were measured. */
export function claimsOf(report: GatewayReport): readonly Claim[] {
	const byName = new Map(report.cases.map((result) => [result.name, result]));
	const claims: (Claim | undefined)[] = [
		atLeast('GET: requests/s ≥ 1.5 × fastify', ratio(byName.get('get'), gatewayToFastify, rate), 1.5),
		atMost('GET: CPU per request ≤ 0.7 × fastify', ratio(byName.get('get'), gatewayToFastify, cpu), 0.7),
		atLeast('POST 1 KB: requests/s ≥ 0.8 × fastify', ratio(byName.get('post'), gatewayToFastify, rate), 0.8),
		costOfBodies(byName.get('post-to-get')),
		...addedLatency(byName.get('half-load')),
		noErrors(byName.get('connections-512')),
		atMost(
			'10 000 tokens: CPU per request ≤ 1.1 × one',
			ratio(byName.get('tokens'), ['gateway', oneTokenName], cpu),
			1.1,
		),
		atMost(
			'50 instances: CPU per request ≤ 1.1 × one',
			ratio(byName.get('instances'), ['gateway-50', 'gateway'], cpu),
			1.1,
		),
		costOfTraces(byName.get('traces')),
		...report.streaming.map(({ direction, megabytes, growthMb }) => ({
			guarantee: `${direction} of ${Math.round(megabytes)} MB: memory grows by less than 30 MB`,
			measured: `${growthMb.toFixed(1)} MB`,
			holds: growthMb < 30,
		})),
		steadyMemory(report.longRun),
		atLeast(
			'Whole system: requests/s ≥ fastify',
			ratio(report.wholeSystem?.result, gatewayToFastify, rate),
			1,
		),
	];
	return claims.flatMap((claim) => claim ?? []);
}

function atLeast(guarantee: string, figure: Figure, limit: number): Claim | undefined {
	return Number.isNaN(figure.median)
		? undefined
		: { guarantee, measured: spread(figure), holds: figure.median >= limit };
}

function atMost(guarantee: string, figure: Figure, limit: number): Claim | undefined {
	return Number.isNaN(figure.median)
		? undefined
		: { guarantee, measured: spread(figure), holds: figure.median <= limit };
}

/** `1.62 (1.58–1.70)` */
export function spread({ median, lowest, highest }: Figure): string {
	return `${median.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`;
}

function addedLatency(result: CaseResult | undefined): (Claim | undefined)[] {
	const added = (of: (measurement: Measurement) => number): Figure => {
		const direct = roundsOf(result, 'direct');
		return figureOf(
			roundsOf(result, 'gateway').map((each, round) => {
				const other = direct[round];
				return other === undefined ? Number.NaN : of(each) - of(other);
			}),
		);
	};
	return [
		atMost(
			'Half load: ≤ 0.5 ms more than direct, p50',
			added(({ p50Ms }) => p50Ms),
			0.5,
		),
		atMost(
			'Half load: ≤ 3 ms more than direct, p99',
			added(({ p99Ms }) => p99Ms),
			3,
		),
	];
}

function costOfBodies(result: CaseResult | undefined): Claim | undefined {
	const posts = equalGateways.map((name) => `${name}, ${postToGet}`);
	const figure = groupRatio(result, [posts, equalGateways], cpu);
	return atMost('POST 1 KB: CPU per request ≤ 1.3 × GET of the same processes', figure, 1.3);
}

/** Holds if the whole confidence interval is below the limit; the ratio of two without traces shows the error of the method. */
function costOfTraces(result: CaseResult | undefined): Claim | undefined {
	const secondToFirst = ([one, other]: readonly [string, string]) => blockRatio(result, [other, one], cpu);
	const [figure, control] = [secondToFirst(tracesPair), secondToFirst(equalPair)];
	if (figure === undefined || control === undefined) return undefined;
	return {
		guarantee: 'Traces, 1 % sampled: CPU per request ≤ 1.05 × off (95 % confidence)',
		measured: `${precise(figure)}; two without traces ${precise(control)}`,
		holds: figure.highest <= 1.05,
	};
}

/** `1.021 (1.014–1.029)` */
function precise({ mean, lowest, highest }: Mean): string {
	return `${mean.toFixed(3)} (${lowest.toFixed(3)}–${highest.toFixed(3)})`;
}

function noErrors(result: CaseResult | undefined): Claim | undefined {
	const rounds = roundsOf(result, 'gateway');
	if (rounds.length === 0) return undefined;
	const errors = rounds.reduce((sum, each) => sum + each.errors, 0);
	return { guarantee: '512 connections: no errors', measured: String(errors), holds: errors === 0 };
}

function steadyMemory(longRun: LongRun | undefined): Claim | undefined {
	const [first, last] = [longRun?.points[0], longRun?.points.at(-1)];
	if (first === undefined || last === undefined || first === last) return undefined;
	const growthMb = last.retainedMb - first.retainedMb;
	return {
		guarantee: `Resident memory after ${last.requests} requests as after ${first.requests} (± 10 MB), garbage collected`,
		measured: `${growthMb.toFixed(1)} MB growth`,
		holds: Math.abs(growthMb) <= 10,
	};
}
