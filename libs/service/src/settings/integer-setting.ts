import { z } from 'zod';

/** A whole number within bounds; the bounds are in its metadata, for docs/settings.md. */
export function integerSetting(min: number, max: number, fallback: number) {
	const message = `must be a whole number from ${min} to ${max}`;
	return z
		.string()
		.regex(/^\d{1,12}$/, message)
		.transform(Number)
		.refine((value) => value >= min && value <= max, message)
		.meta({ minimum: min, maximum: max })
		.default(fallback);
}
