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
	[target, peer]: readonly [string, string],
	of: (measurement: Measurement) => number,
): Figure {
	const peers = roundsOf(result, peer);
	return figureOf(
		roundsOf(result, target).map((measurement, round) => {
			const other = peers[round];
			return other === undefined ? Number.NaN : of(measurement) / of(other);
		}),
	);
}
