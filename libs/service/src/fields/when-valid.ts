import type { z } from 'zod';

type Payload = z.core.ParsePayload;

/**
 * For a rule over several fields: runs as soon as those fields are valid by themselves, whatever the state of the
 * others, so that a client receives all errors at once. (By default zod waits for all fields.) Lists are skipped: they
 * have no such fields, and a rule that read them would fail.
 */
export function whenValid(...fields: readonly string[]) {
	return ({ value, issues }: Payload): boolean =>
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		!issues.some((issue) => fields.includes(String(issue.path?.[0])));
}
