import type { FailureData } from './failure.ts';

/**
 * The envelope of every JSON response of the system, failures included: exactly these four keys. `timestamp` is ISO
 * 8601 in UTC with milliseconds.
 */
export interface BaseDto<T> {
	success: boolean;
	data: T;
	message: string;
	timestamp: string;
}

/** Creates the envelope of a success. */
export function successEnvelope<T>(data: T, message: string, now: Date): BaseDto<T> {
	return { success: true, data, message, timestamp: now.toISOString() };
}

/** Creates the envelope of a failure; `data` is for programs, `message` for users. */
export function errorEnvelope(data: FailureData, message: string, now: Date): BaseDto<FailureData> {
	return { success: false, data, message, timestamp: now.toISOString() };
}
