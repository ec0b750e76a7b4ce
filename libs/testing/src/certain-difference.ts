/** Of the normal distribution: one of ten thousand comparisons of equal durations is beyond it. */
const deviations = 3.9;

/**
 * The difference of the medians of paired durations, as far as the pairs prove it: the end nearer to zero of the interval that
 * contains the median of their differences, and 0 if zero is within it. Other load of the machine makes the interval wider,
 * and proves nothing.
 */
export function certainDifference(durations: readonly number[], others: readonly number[]): number {
	const differences = durations
		.map((duration, index) => duration - (others[index] ?? Number.NaN))
		.sort((a, b) => a - b);
	// The number of differences below their median has a binomial distribution.
	const rank = Math.floor((differences.length - deviations * Math.sqrt(differences.length)) / 2);
	const [low, high] = [differences[rank], differences.at(-1 - rank)];
	if (low === undefined || high === undefined)
		throw new RangeError(`${differences.length} pairs prove nothing`);
	return Math.max(0, low) + Math.min(0, high);
}
