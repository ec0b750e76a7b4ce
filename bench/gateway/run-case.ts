import type { Load, LoadGenerator } from '../measure/load.ts';
import { cpuMicroseconds, residentBytes } from '../measure/process-usage.ts';
import type { Case } from './cases.ts';
import type { Bench, Target } from './targets.ts';

export interface Measurement {
	readonly requestsPerSecond: number;
	/** Of the measured process and its children. */
	readonly cpuMicrosecondsPerRequest: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	readonly p999Ms: number;
	readonly residentMb: number;
	readonly errors: number;
}

interface Rounds {
	readonly rounds: number;
	readonly seconds: number;
}

/** Duration and number of measurements. */
export interface Effort {
	readonly warmUpSeconds: number;
	/** Minimum number of requests, after which the JIT has compiled the code; a slow machine needs longer. */
	readonly warmUpRequests: number;
	readonly rounds: number;
	/** Rounds of cases that a guarantee depends on. */
	readonly guaranteedRounds: number;
	readonly seconds: number;
	/** Rounds of cases that compare finely, and the duration of each. */
	readonly fine: Rounds;
	/** Blocks of cases with new processes for each, and the rounds of a block. */
	readonly blocks: Rounds & { readonly count: number };
}

export interface CaseResult {
	readonly name: string;
	readonly title: string;
	/** One measurement per round, by target; the others are compared with the first. */
	readonly targets: readonly { readonly name: string; readonly rounds: readonly Measurement[] }[];
	/** The number of blocks that the rounds are of, if each had new processes. */
	readonly blocks?: number;
}

interface RunCaseOptions {
	readonly bench: Pick<Bench, 'tokens'>;
	readonly available: readonly Target[];
	readonly effort: Effort;
	readonly generate: LoadGenerator;
}

/** One process under one load. */
interface Subject {
	readonly name: string;
	readonly target: Target;
	readonly load: Load;
}

/** An extra subject of cases with many tokens: the first target with one token. */
export const oneTokenName = 'gateway, one token';

/** Measures the targets of a case interleaved, round by round, so that a slow moment affects all of them. */
export async function runCase(
	{ name, title, targets: wanted, ...plan }: Case,
	{ bench, available, effort, generate }: RunCaseOptions,
): Promise<CaseResult> {
	const fullLoad = { ...plan.load, tokens: bench.tokens(plan.tokens) };
	const targets = wanted.flatMap((each) => available.find((target) => target.name === each) ?? []);
	const [first] = targets;
	const subjects = targets.flatMap((target) => subjectsOf(target, fullLoad, plan));
	// Idle targets collect garbage, which shows in tail latencies.
	for (const target of available) target.setPaused(plan.loadShare !== undefined && !targets.includes(target));
	for (const { target, load } of subjects) {
		await checkResponse(target, load);
		// The first use of each token verifies it; the measurement is about cached tokens.
		const warmUpRequests = Math.max(effort.warmUpRequests, 2 * plan.tokens);
		const warmUpLoad = { ...load, headers: { ...load.headers, ...plan.warmUpHeaders } };
		await warmUp(target, warmUpLoad, { ...effort, warmUpRequests }, generate);
	}
	if (plan.tokens > 1 && first !== undefined) {
		const load = { ...fullLoad, tokens: fullLoad.tokens.slice(0, 1) };
		subjects.push({ name: oneTokenName, target: first, load });
	}
	const { rounds, seconds } = extentOf(plan, effort);
	const results = subjects.map((subject) => ({ ...subject, rounds: [] as Measurement[] }));
	for (let round = 0; round < rounds; round += 1) {
		const shared =
			plan.loadShare === undefined || first === undefined
				? undefined
				: await loadAtShare(plan.loadShare, first, fullLoad, { effort, generate });
		// Back and forth: a machine that becomes slower during a round then favours no target.
		for (const { target, load, rounds } of round % 2 === 0 ? results : results.toReversed())
			rounds.push(await measure(target, shared ?? load, seconds, generate));
	}
	return { name, title, targets: results.map(({ name, rounds }) => ({ name, rounds })) };
}

function subjectsOf(target: Target, load: Load, { other }: Pick<Case, 'other'>): Subject[] {
	const { name } = target;
	const own = { name, target, load };
	if (other === undefined) return [own];
	return [own, { name: `${name}, ${other.name}`, target, load: { ...other.load, tokens: load.tokens } }];
}

function extentOf(
	{ isByBlocks, isFine, isGuaranteed, durationFactor = 1 }: Omit<Case, 'name' | 'title' | 'targets'>,
	effort: Effort,
): Rounds {
	if (isByBlocks === true) return effort.blocks;
	if (isFine === true) return effort.fine;
	const rounds = isGuaranteed === true ? effort.guaranteedRounds : effort.rounds;
	return { rounds, seconds: effort.seconds * durationFactor };
}

/**
 * The same load with pauses, at a share of the target's current throughput, which varies between rounds. The warm-up
 * lets the process settle after the full load.
 */
async function loadAtShare(
	share: number,
	target: Target,
	full: Load,
	{ effort, generate }: Pick<RunCaseOptions, 'effort' | 'generate'>,
): Promise<Load> {
	const { requestsPerSecond } = await measure(target, full, effort.seconds, generate);
	const load = { ...full, pauseMs: (full.connections * 1_000) / (share * requestsPerSecond) };
	await warmUp(target, load, { warmUpSeconds: 2 * effort.seconds, warmUpRequests: 0 }, generate);
	return load;
}

// Bounds the warm-up on a slow machine.
const warmUpRoundsMax = 12;

/** Sends load until both the time and the number of requests are reached. */
export async function warmUp(
	{ origin }: Target,
	load: Load,
	effort: Pick<Effort, 'warmUpSeconds' | 'warmUpRequests'>,
	generate: LoadGenerator,
): Promise<void> {
	let requests = 0;
	for (
		let round = 0;
		round < warmUpRoundsMax && (round === 0 || requests < effort.warmUpRequests);
		round += 1
	)
		requests += (await generate(origin, load, effort.warmUpSeconds)).requests;
}

export async function measure(
	target: Target,
	load: Load,
	seconds: number,
	generate: LoadGenerator,
): Promise<Measurement> {
	const before = cpuMicroseconds(target.pid);
	const result = await generate(target.origin, load, seconds);
	const microseconds = cpuMicroseconds(target.pid) - before;
	return {
		requestsPerSecond: result.requests / result.seconds,
		cpuMicrosecondsPerRequest: microseconds / Math.max(1, result.requests),
		p50Ms: result.p50Ms,
		p99Ms: result.p99Ms,
		p999Ms: result.p999Ms,
		residentMb: residentBytes(target.pid) / 1e6,
		errors: result.errors,
	};
}

/** @throws if a target's response has an unexpected status, which would make the figures meaningless */
async function checkResponse({ name, origin }: Target, load: Load): Promise<void> {
	const [token] = load.tokens;
	const response = await fetch(origin + load.path, {
		method: load.method,
		headers: { ...load.headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
		...(load.body === undefined ? {} : { body: load.body }),
	});
	await response.arrayBuffer();
	// The upstream itself checks neither tokens nor paths.
	if (response.status !== load.status && name !== 'direct')
		throw new Error(`${name}: ${load.method} ${load.path} returned ${response.status}, not ${load.status}.`);
}
