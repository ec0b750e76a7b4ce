import type { FieldError } from '@paddock/contract';
import { closest, distance } from 'fastest-levenshtein';

/** Adds the declared name that an unknown query parameter resembles: `is not known here; did you mean size?` */
export function withSuggestion(error: FieldError, declared: readonly string[]): FieldError {
	if (error.code !== 'UNKNOWN_FIELD' || declared.length === 0 || declared.includes(error.field)) return error;
	const name = error.field.toLowerCase();
	const nearest = closest(name, declared as string[]);
	// A third of the letters: `ofset`, `page_size` for `pageSize`, but not `name` for `page`.
	const differencesMax = Math.floor(Math.max(name.length, nearest.length) / 3);
	if (distance(name, nearest.toLowerCase()) > differencesMax) return error;
	return { ...error, message: `${error.message}; did you mean ${nearest}?` };
}
