import { NetworkError, PaddockError } from '@paddock/client';
import { isText, t, timeText } from './language.ts';

/** What people read about a failure. The gateway's messages are English; frequent ones have a translation here. */
export function failureText(error: unknown): string {
	if (error instanceof NetworkError) return t('networkFailed');
	// The user has cancelled the browser's dialog, or there is no passkey for it.
	if (error instanceof DOMException && error.name === 'NotAllowedError') return t('passkeyCancelled');
	if (!(error instanceof PaddockError)) return t('unexpected');
	if (error.code === 'ACCOUNT_LOCKED' || error.code === 'RATE_LIMITED') {
		const { retryAfterMs } = error;
		if (retryAfterMs !== undefined)
			return t('waitUntil', timeText(new Date(Date.now() + retryAfterMs).toISOString()));
	}
	const key = `error.${error.code}`;
	return isText(key) ? t(key) : error.message;
}

/** The messages of invalid fields, by name. */
export function fieldTexts(error: unknown): ReadonlyMap<string, string> {
	if (!(error instanceof PaddockError)) return new Map();
	return new Map(
		error.errors.map(({ field, code, message }) => {
			const key = `field.${code}`;
			return [field, isText(key) ? `${t(key)} (${message})` : message];
		}),
	);
}

/** Whether the failure is this one. */
export function isCode(error: unknown, ...codes: readonly string[]): error is PaddockError {
	return error instanceof PaddockError && codes.includes(error.code);
}
