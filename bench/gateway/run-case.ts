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

/** How long and how often is measured. */
export interface Effort {
	readonly warmUpSeconds: number;
	/** The machine code of a path is made by its use: on a slow machine it takes longer until it is there. */
	readonly warmUpRequests: number;
	readonly rounds: number;
	/** The same for what a promise hangs on. */
	readonly guaranteedRounds: number;
	readonly seconds: number;
}

export interface CaseResult {
	readonly name: string;
	readonly title: string;
	/** One measurement for each round, by target; the first target is the one that is compared. */
	readonly targets: readonly { readonly name: string; readonly rounds: readonly Measurement[] }[];
}

export interface RunCaseOptions {
	readonly bench: Pick<Bench, 'tokens'>;
	readonly available: readonly Target[];
	readonly effort: Effort;
	readonly generate: LoadGenerator;
}

/** The first target once more, in the same rounds, where a case has many tokens. */
export const oneTokenName = 'gateway, one token';

/** Measures the targets of a case in turn, round by round, so that a slow moment of the machine hits all of them. */
export async function runCase(
	{ name, title, targets: wanted, ...plan }: Case,
	{ bench, available, effort, generate }: RunCaseOptions,
): Promise<CaseResult> {
	const fullLoad = { ...plan.load, tokens: bench.tokens(plan.tokens) };
	const targets = wanted.flatMap((each) => available.find((target) => target.name === each) ?? []);
	// In a tail it shows when others collect their garbage, even where they have nothing else to do.
	for (const target of available) target.hold(plan.share !== undefined && !targets.includes(target));
	for (const target of targets) {
		await checkAnswer(target, fullLoad);
		// Each token is verified once before it is known, and that isn't what is measured.
		const warmUpRequests = Math.max(effort.warmUpRequests, 2 * plan.tokens);
		await warmUp(target, fullLoad, { ...effort, warmUpRequests }, generate);
	}
	const seconds = effort.seconds * (plan.longer ?? 1);
	const results = targets.map((target) => ({ name: target.name, rounds: [] as Measurement[] }));
	const oneToken = { name: oneTokenName, rounds: [] as Measurement[] };
	const rounds = plan.isGuaranteed === true ? effort.guaranteedRounds : effort.rounds;
	const [first] = targets;
	for (let round = 0; round < rounds; round += 1) {
		const load =
			plan.share === undefined || first === undefined
				? fullLoad
				: await settleAt(plan.share, first, fullLoad, { effort, generate });
		for (const [at, target] of targets.entries())
			results[at]?.rounds.push(await measure(target, load, seconds, generate));
		if (plan.tokens > 1 && first !== undefined) {
			const withOne = { ...fullLoad, tokens: fullLoad.tokens.slice(0, 1) };
			oneToken.rounds.push(await measure(first, withOne, seconds, generate));
		}
	}
	return { name, title, targets: plan.tokens > 1 ? [...results, oneToken] : results };
}

/**
 * The same load with pauses, so that only a share is asked for of what the target takes just then: the machine is not
 * equally fast in every round. After the full load a process needs some seconds to settle down.
 */
async function settleAt(
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

// However slow the machine is, there comes an end to waiting for it.
const warmUpTurnsMax = 12;

/** Asks a target until it has had both the time and the number of requests. */
export async function warmUp(
	{ origin }: Target,
	load: Load,
	effort: Pick<Effort, 'warmUpSeconds' | 'warmUpRequests'>,
	generate: LoadGenerator,
): Promise<void> {
	let requests = 0;
	for (let turn = 0; turn < warmUpTurnsMax && (turn === 0 || requests < effort.warmUpRequests); turn += 1)
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

/** @throws when a target answers otherwise than expected: figures for something else would be worth nothing */
async function checkAnswer({ name, origin }: Target, load: Load): Promise<void> {
	const [token] = load.tokens;
	const answer = await fetch(origin + load.path, {
		method: load.method,
		headers: { ...load.headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
		...(load.body === undefined ? {} : { body: load.body }),
	});
	await answer.arrayBuffer();
	// The upstream itself asks for no token and knows every path that it is asked for.
	if (answer.status !== load.status && name !== 'direct')
		throw new Error(`${name} answers ${load.method} ${load.path} with ${answer.status}, not ${load.status}.`);
}
