import type { FailureData } from './failure.ts';

/**
 * The envelope of every JSON answer of the system, failures included: exactly these four keys.
 * `timestamp` is ISO 8601 in UTC with milliseconds.
 */
export interface BaseDto<T> {
	success: boolean;
	data: T;
	message: string;
	timestamp: string;
}

/** The envelope of a success. */
export function successEnvelope<T>(data: T, message: string, now: Date): BaseDto<T> {
	return { success: true, data, message, timestamp: now.toISOString() };
}

/** The envelope of a failure; `data` says what a program needs to know, `message` what a person does. */
export function errorEnvelope(data: FailureData, message: string, now: Date): BaseDto<FailureData> {
	return { success: false, data, message, timestamp: now.toISOString() };
}
