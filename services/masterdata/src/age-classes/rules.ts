import type { AgeClass } from './schemas.ts';

type Bounds = Pick<AgeClass, 'minAge' | 'maxAge' | 'validFrom' | 'validTo'>;

/** Whether a competitor of that age may start in the class on that day; all bounds are inclusive, null is open. */
export function isApplicable(ageClass: Bounds, age: number, date: string): boolean {
	const { minAge, maxAge, validFrom, validTo } = ageClass;
	if (minAge !== null && age < minAge) return false;
	if (maxAge !== null && age > maxAge) return false;
	// Dates of this format compare as text.
	if (validFrom !== null && date < validFrom) return false;
	return validTo === null || date <= validTo;
}
