import { closest, distance } from 'fastest-levenshtein';
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
		if (similar.length === 0) return [];
		return [{ name, rule: `is not a setting; did you mean ${closest(name.toUpperCase(), similar)}?` }];
	});
}

function isSimilar(name: string, setting: string): boolean {
	if (wordsOf(name) === wordsOf(setting)) return true;
	const lengthOfShorter = Math.min(name.length, setting.length);
	if (distance(name, setting) <= (lengthOfShorter >= 12 ? 2 : 1)) return true;
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
