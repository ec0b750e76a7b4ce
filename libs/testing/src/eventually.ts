import { setTimeout as wait } from 'node:timers/promises';
import { patient } from './patient.ts';

const pollMs = 10;
/** Each poll of a starting process takes about a millisecond of processor time that the start needs. */
const pollMsMax = 80;

/**
 * Waits until the condition is true. @throws Error with `description` if it isn't by the deadline, which is that of a quiet
 * machine
 */
export async function eventually(
	description: string,
	condition: () => boolean | Promise<boolean>,
	deadlineMs = 10_000,
): Promise<void> {
	const startedMs = performance.now();
	for (let waitMs = pollMs; !(await condition()); waitMs = Math.min(waitMs * 1.2, pollMsMax)) {
		if (performance.now() - startedMs > patient(deadlineMs))
			throw new Error(`not within ${deadlineMs} ms: ${description}`);
		await wait(waitMs);
	}
}
