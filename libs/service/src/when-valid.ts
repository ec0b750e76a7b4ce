import type { z } from 'zod';

type Payload = z.core.ParsePayload;

/**
 * For a rule over several fields: it runs as soon as those fields are valid by themselves, whatever is wrong with
 * the others, so that a client hears of everything at once. (zod's own way is to wait for all fields.) A list has no
 * fields that could be invalid, and a rule that read them would fail.
 */
export function whenValid(...fields: readonly string[]) {
	return ({ value, issues }: Payload): boolean =>
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		!issues.some((issue) => fields.includes(String(issue.path?.[0])));
}
