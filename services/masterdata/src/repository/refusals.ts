import { isForeignKeyViolation, isUniqueViolation } from '@paddock/database';
import { failMasterdata, type MasterdataErrorCode } from '../errors.ts';

/** Which code stands for which unique constraint. */
export type TakenCodes = Readonly<Record<string, MasterdataErrorCode>>;

/** Runs a write and words the refusal of a unique constraint. @throws ApiError with the code of that constraint. */
export async function orTaken<Result>(write: Promise<Result>, codes: TakenCodes): Promise<Result> {
	try {
		return await write;
	} catch (error) {
		for (const [constraint, code] of Object.entries(codes)) {
			if (isUniqueViolation(error, constraint)) throw failMasterdata(code, { cause: error });
		}
		throw error;
	}
}

/** Runs a change of a record that others may refer to. @throws ApiError with that code when they do. */
export async function orInUse<Result>(
	write: Promise<Result>,
	code: MasterdataErrorCode,
	message?: string,
): Promise<Result> {
	try {
		return await write;
	} catch (error) {
		if (!isForeignKeyViolation(error)) throw error;
		throw failMasterdata(code, { cause: error, ...(message === undefined ? {} : { message }) });
	}
}
