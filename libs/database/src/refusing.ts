import type { ApiError } from '@paddock/contract';
import { violatedConstraint } from './database-errors.ts';

/** The failure of each constraint. */
export type Refusals = Readonly<Record<string, (cause: unknown) => ApiError>>;

/** The failures by their codes: `refusals(horsesError, { horses_ueln_key: 'UELN_TAKEN' })`. */
export function refusals<Code extends string>(
	errorOf: (code: Code, options: { readonly cause: unknown }) => ApiError,
	codes: Readonly<Record<string, Code>>,
): Refusals {
	return Object.fromEntries(
		Object.entries(codes).map(([constraint, code]) => [constraint, (cause) => errorOf(code, { cause })]),
	);
}

/**
 * Runs a write and converts the violation of a unique constraint, foreign key or exclusion constraint to its failure.
 * @throws the failure of the constraint; any other error unchanged.
 */
export async function refusing<Result>(refused: Refusals, write: Promise<Result>): Promise<Result> {
	try {
		return await write;
	} catch (error) {
		const failure = refused[violatedConstraint(error) ?? ''];
		throw failure === undefined ? error : failure(error);
	}
}
