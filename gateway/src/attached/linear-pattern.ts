import { RE2JS } from 're2js';

/** Limits of one pattern of a contract, and of one request: the characters times the size of the compiled pattern. */
const programSizeMax = 2_000;
const patternCharsMax = 1_000;

/** What the check of one request may cost. */
export interface Budget {
	/** @throws OverBudget */
	spend(units: number): void;
}

/** The check of a request takes too long: its body, or the schema for it, is out of proportion. */
export class OverBudget extends Error {
	override readonly name = 'OverBudget';
}

export interface Pattern {
	test(text: string): boolean;
}

/**
 * A regular expression of a contract, which another project writes: matched in linear time (RE2), as a backtracking one could stop the
 * gateway with one short text. Undefined if it needs backtracking (lookaround, backreferences) or is too large.
 */
export function linearPattern(source: string, budget: Budget): Pattern | undefined {
	if (source.length > patternCharsMax) return undefined;
	try {
		const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
		const size = pattern.programSize();
		if (size > programSizeMax) return undefined;
		return {
			test: (text) => {
				budget.spend(1 + Math.ceil((text.length * size) / 20));
				return pattern.matcher(text).find();
			},
		};
	} catch {
		return undefined;
	}
}
