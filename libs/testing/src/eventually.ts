import { setTimeout as wait } from 'node:timers/promises';

/** Resolves when the condition holds; throws with `what` when it still doesn't after the deadline. */
export async function eventually(
	what: string,
	condition: () => boolean | Promise<boolean>,
	deadlineMs = 10_000,
): Promise<void> {
	const endMs = performance.now() + deadlineMs;
	while (!(await condition())) {
		if (performance.now() > endMs) throw new Error(`not within ${deadlineMs} ms: ${what}`);
		await wait(10);
	}
}
