import { RE2JS } from 're2js';

/** Limits of one pattern of a contract, and of one request: the characters times the size of the compiled pattern. */
const programSizeMax = 2_000;
const patternCharsMax = 1_000;
// Compiled before its size is known: some 200 ms.
const expandedMax = 30_000;

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
	/** Ajv tells patterns apart by it. */
	toString(): string;
}

/** Matched in linear time (RE2). Undefined if it needs backtracking (lookaround, backreferences) or is too large. */
export function linearPattern(source: string, budget: Budget): Pattern | undefined {
	if (patternCost(source) > expandedMax || source.length > patternCharsMax) return undefined;
	try {
		const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
		const size = pattern.programSize();
		if (size > programSizeMax) return undefined;
		return {
			test: (text) => {
				budget.spend(1 + Math.ceil((text.length * size) / 20));
				return pattern.matcher(text).find();
			},
			toString: () => source,
		};
	} catch {
		return undefined;
	}
}

/** At most what the pattern has when its repetitions are written out. */
export function patternCost(source: string): number {
	const counts = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [least, most]);
	return source.length * Math.max(1, ...counts.map(Number).filter((count) => count > 0));
}
