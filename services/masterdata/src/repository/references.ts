import { type FieldError, fail } from '@paddock/contract';
import { isForeignKeyViolation } from '@paddock/database';

export const unknownCountry: FieldError = {
	field: 'countryCode',
	code: 'INVALID_REFERENCE',
	message: 'is not the alpha-2 code of a country that is kept here',
};

export const unknownState: FieldError = {
	field: 'stateCode',
	code: 'INVALID_REFERENCE',
	message: 'is not the ISO 3166-2 code of a state of that country that is kept here',
};

/**
 * Runs a write whose row refers to other records, and words the refusal of a foreign key.
 * @throws ApiError VALIDATION_ERROR with the field error of that constraint.
 */
export async function withKnownReferences<Result>(
	write: Promise<Result>,
	fieldErrors: Readonly<Record<string, FieldError>>,
): Promise<Result> {
	try {
		return await write;
	} catch (error) {
		for (const [constraint, fieldError] of Object.entries(fieldErrors)) {
			if (isForeignKeyViolation(error, constraint))
				throw fail('VALIDATION_ERROR', { errors: [fieldError], cause: error });
		}
		throw error;
	}
}
