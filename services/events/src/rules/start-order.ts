import { edition2026, type Rule } from './rule.ts';

/** Horses between two starts of a rider (OeTO §38.2). */
export const startGap: Rule = {
	code: 'START_GAP_TOO_SMALL',
	paragraph: '38.2',
	level: 'WARNING',
	validFrom: edition2026,
	overridable: false,
	criteria: {},
	min: 6,
	text: 'Horses between two starts of a rider in a competition, if the number of starters allows it.',
};

/** The places of a starting order, from 1, at which a rider starts too soon again. `riders`: ids in starting order. */
export function tooSmallGaps(riders: readonly string[], { min = 0 }: Rule = startGap): readonly number[] {
	const last = new Map<string, number>();
	return riders.flatMap((rider, index) => {
		const before = last.get(rider);
		last.set(rider, index);
		return before !== undefined && index - before - 1 < min ? [index + 1] : [];
	});
}
