import type { Case } from './cases.ts';
import type { CaseResult, Measurement } from './run-case.ts';

/** Median and range of the rounds. */
export interface Figure {
	readonly median: number;
	readonly lowest: number;
	readonly highest: number;
}

export function figureOf(values: readonly number[]): Figure {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const at = (index: number): number => sorted[index] ?? Number.NaN;
	const median = Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
	return { median, lowest: at(0), highest: at(sorted.length - 1) };
}

export function roundsOf(result: CaseResult | undefined, target: string): readonly Measurement[] {
	return result?.targets.find(({ name }) => name === target)?.rounds ?? [];
}

/** The ratio of two targets, round by round, since both were measured under the same conditions in a round. */
export function ratio(
	result: CaseResult | undefined,
	targets: readonly [string, string],
	of: (measurement: Measurement) => number,
): Figure {
	return figureOf(ratiosOf(result, targets, of));
}

function ratiosOf(
	result: CaseResult | undefined,
	[target, peer]: readonly [string, string],
	of: (measurement: Measurement) => number,
): number[] {
	const peers = roundsOf(result, peer);
	return roundsOf(result, target).map((measurement, round) => {
		const other = peers[round];
		return other === undefined ? Number.NaN : of(measurement) / of(other);
	});
}

/**
 * The ratio of two groups of targets, the sums of each round compared: its median over the rounds, and the 95 % confidence
 * interval of that median from the ranks of the rounds, which assumes no distribution.
 */
export function groupRatio(
	result: CaseResult | undefined,
	[group, peers]: readonly [readonly string[], readonly string[]],
	of: (measurement: Measurement) => number,
): Figure {
	const sum = (targets: readonly string[], round: number): number =>
		targets
			.map((target) => roundsOf(result, target)[round])
			.reduce((total, each) => total + (each === undefined ? Number.NaN : of(each)), 0);
	const ratios = roundsOf(result, group[0] ?? '').map((_, round) => sum(group, round) / sum(peers, round));
	const sorted = ratios.sort((a, b) => a - b);
	const outside = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2));
	return figureOf(sorted.slice(outside, sorted.length - outside));
}

/** One result with the rounds of all blocks. */
export function joinBlocks({ name, title, targets }: Case, blocks: readonly CaseResult[]): CaseResult {
	const joined = targets.map((target) => ({
		name: target,
		rounds: blocks.flatMap((block) => roundsOf(block, target)),
	}));
	return { name, title, targets: joined, blocks: blocks.length };
}

/** A mean and its 95 % confidence interval. */
export interface Mean {
	readonly mean: number;
	readonly lowest: number;
	readonly highest: number;
}

/**
 * The ratio of two targets in a case with blocks: in each block the median of its rounds, then the mean of the blocks. Rounds of
 * one process are not independent, processes are.
 */
export function blockRatio(
	result: CaseResult | undefined,
	targets: readonly [string, string],
	of: (measurement: Measurement) => number,
): Mean | undefined {
	if (result?.blocks === undefined) return undefined;
	const ratios = ratiosOf(result, targets, of);
	const length = ratios.length / result.blocks;
	const ofBlock = (block: number) => figureOf(ratios.slice(block * length, (block + 1) * length)).median;
	return meanOf(Array.from({ length: result.blocks }, (_, block) => ofBlock(block)));
}

// Student's t for 1, 2, … degrees of freedom, 95 %, two-sided. With more than ten, an approximation by their number is within 0.01.
const studentT = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23];

function meanOf(values: readonly number[]): Mean {
	const count = values.length;
	const mean = values.reduce((sum, each) => sum + each, 0) / count;
	const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1);
	const error = (studentT[count - 2] ?? 1.96 + 2.5 / (count - 1)) * Math.sqrt(variance / count);
	return { mean, lowest: mean - error, highest: mean + error };
}
