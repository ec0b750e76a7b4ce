import { type ApiError, apiError, type FieldError } from '@paddock/contract';

export const unknownCountry: FieldError = {
	field: 'countryCode',
	code: 'INVALID_REFERENCE',
	message: 'must be the alpha-2 code of a country in the master data',
};

export const unknownState: FieldError = {
	field: 'stateCode',
	code: 'INVALID_REFERENCE',
	message: 'must be the ISO 3166-2 code of a state of that country in the master data',
};

/** Creates the error for a foreign key violation of that field. */
export function invalidReference(error: FieldError): (cause: unknown) => ApiError {
	return (cause) => apiError('VALIDATION_ERROR', { errors: [error], cause });
}
