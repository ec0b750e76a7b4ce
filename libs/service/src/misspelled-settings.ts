import type { Violation } from './setting-violation.ts';

type Environment = Readonly<Record<string, string | undefined>>;

// Shorter names resemble too many variables of other programs.
const lengthMin = 6;

/** Variables that are not settings but resemble one: `RATE_LIMITS_USER: is not a setting; did you mean RATE_LIMIT_USER?` */
export function misspelledSettings(known: readonly string[], env: Environment): Violation[] {
	const names = new Set(known);
	return Object.entries(env).flatMap(([name, value]): Violation[] => {
		if (value === undefined || names.has(name) || name.length < lengthMin) return [];
		const similar = known.filter((setting) => isSimilar(name.toUpperCase(), setting));
		const distances = similar.map((setting) => editDistance(name.toUpperCase(), setting));
		const nearest = similar[distances.indexOf(Math.min(...distances))];
		return nearest === undefined ? [] : [{ name, rule: `is not a setting; did you mean ${nearest}?` }];
	});
}

function isSimilar(name: string, setting: string): boolean {
	if (wordsOf(name) === wordsOf(setting)) return true;
	const lengthOfShorter = Math.min(name.length, setting.length);
	if (editDistance(name, setting) <= (lengthOfShorter >= 12 ? 2 : 1)) return true;
	if (!name.includes('_') || !setting.includes('_')) return false;
	// BREAKER_WINDOW, CONSUL_HTTP_ADDRESS
	return (
		setting.startsWith(name) || (name.startsWith(setting) && /^[A-Z]{1,3}$/.test(name.slice(setting.length)))
	);
}

/** The words in singular, sorted: the same for TRUSTED_PROXY and PROXIES_TRUSTED. */
function wordsOf(name: string): string {
	const words = name.split('_').map((word) => word.replace(/IES$/, 'Y').replace(/S$/, ''));
	return words.sort().join('_');
}

/** Insertions, deletions and replacements (Levenshtein). */
function editDistance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [i, letter] of [...one].entries()) {
		const next = [i + 1];
		for (const [j, otherLetter] of [...other].entries()) {
			const replaced = (row[j] ?? 0) + (letter === otherLetter ? 0 : 1);
			next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
		}
		row = next;
	}
	return row[other.length] ?? 0;
}
