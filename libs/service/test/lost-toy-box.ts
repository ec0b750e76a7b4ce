import { type ApiError, apiError } from '@paddock/contract';

/** An error of some library that `translateError` of the toy service knows. */
export class LostToyBox extends Error {}

export function translateToyError(error: unknown): ApiError | undefined {
	if (!(error instanceof LostToyBox)) return undefined;
	return apiError('SERVICE_UNAVAILABLE', { cause: error, retryAfterMs: 1_200 });
}
