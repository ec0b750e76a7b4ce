import { availableParallelism, loadavg } from 'node:os';

/** A time limit of a quiet machine, longer by as much as the processes that want to run on this one exceed its cores. */
export function patient(quietMs: number): number {
	const [lastMinute = 0] = loadavg();
	return quietMs * Math.max(1, lastMinute / availableParallelism());
}

/** `patient` as the value of a setting, which has a maximum. */
export function patientMs(quietMs: number, maxMs = 10_000): string {
	return String(Math.min(maxMs, Math.ceil(patient(quietMs))));
}

/** Settings of a gateway that a busy machine doesn't reach, for tests of something else than its own time limits. */
export const patientGateway = {
	CONNECT_TIMEOUT_MS: '30000',
	RESPONSE_TIMEOUT_MS: '60000',
	DEADLINE_MS: '120000',
	BREAKER_WINDOW_MS: '180000',
	SESSION_CHECK_TIMEOUT_MS: '10000',
	EVENT_LOOP_DELAY_MAX_MS: '60000',
};
