import type { Upstream } from './instance-table.ts';

/** A number from 0 up to, not including, 1. */
export type Random = () => number;

/**
 * Two at random, the one with fewer attempts in flight: nearly as good as asking all, and no herd runs to the same
 * one (Mitzenmacher 2001, The Power of Two Choices in Randomized Load Balancing). Instances whose breaker admits
 * nothing, and those tried already, are left out; undefined = nobody is left.
 */
export function chooseInstance(
	upstreams: readonly Upstream[],
	tried: ReadonlySet<Upstream>,
	random: Random,
): Upstream | undefined {
	const usable = upstreams.filter((upstream) => upstream.breaker.admits() && !tried.has(upstream));
	if (usable.length < 2) return usable[0];
	const first = Math.floor(random() * usable.length);
	const second = (first + 1 + Math.floor(random() * (usable.length - 1))) % usable.length;
	const [a, b] = [usable[first], usable[second]];
	if (a === undefined || b === undefined) return a ?? b;
	return b.inFlight < a.inFlight ? b : a;
}
