import type { Upstream } from './upstream.ts';

/** A number from 0 up to, not including, 1. */
export type Random = () => number;

/**
 * Draws two instances at random and returns the one with fewer attempts in flight: nearly as good as comparing all, without a
 * thundering herd (Mitzenmacher 2001, The Power of Two Choices in Randomized Load Balancing). Excludes instances whose breaker
 * admits no request, and those tried already; undefined = no instance is available.
 */
export function chooseInstance(
	upstreams: readonly Upstream[],
	tried: ReadonlySet<Upstream>,
	random: Random,
): Upstream | undefined {
	const [a, b] = twoOf(upstreams, random);
	if (a !== undefined && b !== undefined && isUsable(a, tried) && isUsable(b, tried)) return lessBusy(a, b);
	// One of the two has an open breaker or was tried, or there are fewer than two: examine all.
	const [c, d] = twoOf(
		upstreams.filter((upstream) => isUsable(upstream, tried)),
		random,
	);
	return c === undefined || d === undefined ? (c ?? d) : lessBusy(c, d);
}

function isUsable(upstream: Upstream, tried: ReadonlySet<Upstream>): boolean {
	return upstream.breaker.admits() && !tried.has(upstream);
}

/** Two different instances, or fewer if there are fewer. */
function twoOf(
	upstreams: readonly Upstream[],
	random: Random,
): readonly [Upstream | undefined, Upstream | undefined] {
	const { length } = upstreams;
	if (length < 2) return [upstreams[0], undefined];
	const first = Math.floor(random() * length);
	const second = (first + 1 + Math.floor(random() * (length - 1))) % length;
	return [upstreams[first], upstreams[second]];
}

function lessBusy(a: Upstream, b: Upstream): Upstream {
	return b.inFlight < a.inFlight ? b : a;
}
