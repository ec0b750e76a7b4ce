import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 10;
/** Each poll of a starting process takes about a millisecond of processor time that the start needs. */
const pollMsMax = 80;

/** Waits until the condition is true. @throws Error with `description` if it isn't by the deadline */
export async function eventually(
	description: string,
	condition: () => boolean | Promise<boolean>,
	deadlineMs = 10_000,
): Promise<void> {
	const endMs = performance.now() + deadlineMs;
	for (let waitMs = pollMs; !(await condition()); waitMs = Math.min(waitMs * 1.2, pollMsMax)) {
		if (performance.now() > endMs) throw new Error(`not within ${deadlineMs} ms: ${description}`);
		await wait(waitMs);
	}
}
