import type { ApiError, FieldError } from '@paddock/contract';
import { horsesError } from './errors.ts';

/** The data that a transfer is checked against. */
export interface TransferBase {
	/** First day of the period that the transfer would end, `YYYY-MM-DD`. */
	readonly previousFrom: string;
	readonly dateOfDeath: string | null;
}

/** Errors of the first day: it must not be in the future, because a future transfer could still be called off. */
export function transferDayErrors(from: string, today: string): FieldError[] {
	return from > today
		? [{ field: 'from', code: 'INVALID_RANGE', message: 'must not lie in the future' }]
		: [];
}

/**
 * The error of a period that begins on that day; undefined if valid. Periods are only appended, and the first one does
 * not begin before the birth, so the birth needs no check.
 */
export function transferProblem(from: string, base: TransferBase): ApiError | undefined {
	if (from <= base.previousFrom)
		return horsesError('OWNERSHIP_NOT_AFTER_PREVIOUS', { context: { previousFrom: base.previousFrom } });
	if (base.dateOfDeath !== null && from > base.dateOfDeath)
		return horsesError('OWNERSHIP_AFTER_DEATH', { context: { dateOfDeath: base.dateOfDeath } });
	return undefined;
}
