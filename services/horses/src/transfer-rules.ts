import type { ApiError, FieldError } from '@paddock/contract';
import { horsesError } from './errors.ts';

/** What a transfer is measured against. */
export interface TransferBase {
	/** First day of the period that the transfer would end, `YYYY-MM-DD`. */
	readonly previousFrom: string;
	readonly dateOfDeath: string | null;
}

/** A transfer is recorded once it has happened; a future one could still be called off. */
export function transferDayErrors(from: string, today: string): FieldError[] {
	return from > today
		? [{ field: 'from', code: 'INVALID_RANGE', message: 'must not lie in the future' }]
		: [];
}

/**
 * Why the next period can't begin on that day; undefined when it can. Periods are only added behind the last one, and the
 * first one doesn't begin before the birth: so none does.
 */
export function transferProblem(from: string, base: TransferBase): ApiError | undefined {
	if (from <= base.previousFrom)
		return horsesError('OWNERSHIP_NOT_AFTER_PREVIOUS', { context: { previousFrom: base.previousFrom } });
	if (base.dateOfDeath !== null && from > base.dateOfDeath)
		return horsesError('OWNERSHIP_AFTER_DEATH', { context: { dateOfDeath: base.dateOfDeath } });
	return undefined;
}
