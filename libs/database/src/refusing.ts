import type { ApiError } from '@paddock/contract';
import { isExclusionViolation, isForeignKeyViolation, isUniqueViolation } from './database-errors.ts';

/** The failure of each constraint: `{ horses_ueln_key: (cause) => horsesError('UELN_TAKEN', { cause }) }`. */
export type Refusals = Readonly<Record<string, (cause: unknown) => ApiError>>;

/**
 * Runs a write and converts the violation of a unique constraint, foreign key or exclusion constraint to its failure.
 * @throws the failure of the constraint; any other error unchanged.
 */
export async function refusing<Result>(refusals: Refusals, write: Promise<Result>): Promise<Result> {
	try {
		return await write;
	} catch (error) {
		for (const [constraint, failure] of Object.entries(refusals)) {
			const isViolated = [isUniqueViolation, isForeignKeyViolation, isExclusionViolation];
			if (isViolated.some((is) => is(error, constraint))) throw failure(error);
		}
		throw error;
	}
}
