/** Of the normal distribution: one of ten thousand comparisons of equal durations is beyond it. */
const deviations = 3.9;

interface CertainDifference {
	/** 0 if zero is within the interval. */
	readonly certain: number;
	/** Of the interval. Much more than what a test looks for: the machine was too busy to find it. */
	readonly width: number;
}

/**
 * The difference of the medians of paired durations, as far as the pairs prove it: the end nearer to zero of the interval that
 * contains the median of their differences. Other load of the machine makes the interval wider, and proves nothing.
 */
export function certainDifference(
	durations: readonly number[],
	others: readonly number[],
): CertainDifference {
	const differences = durations
		.map((duration, index) => duration - (others[index] ?? Number.NaN))
		.sort((a, b) => a - b);
	// The number of differences below their median has a binomial distribution.
	const rank = Math.floor((differences.length - deviations * Math.sqrt(differences.length)) / 2);
	const [low, high] = [differences[rank], differences.at(-1 - rank)];
	if (low === undefined || high === undefined)
		throw new RangeError(`${differences.length} pairs prove nothing`);
	return { certain: Math.max(0, low) + Math.min(0, high), width: high - low };
}

/**
 * The same as a part of a duration, with a text about it, which says so if the interval is wider than ten times the limit: a
 * test that passes has shown little then.
 */
export function certainPart(
	durations: readonly number[],
	others: readonly number[],
	{ of, limit }: { readonly of: number; readonly limit: number },
): { readonly difference: number; readonly report: string } {
	const { certain, width } = certainDifference(durations, others);
	const percent = (value: number) => `${((100 * value) / of).toFixed(1)} %`;
	const isWide = width > 10 * limit * of;
	const doubt = isWide ? `; the machine was too busy to exclude one of up to ${percent(width)}` : '';
	return { difference: certain / of, report: `a difference of ${percent(certain)} is certain${doubt}` };
}
