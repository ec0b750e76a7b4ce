import { setTimeout as wait } from 'node:timers/promises';

/** Waits until the condition is true. @throws Error with `description` if it isn't by the deadline */
export async function eventually(
	description: string,
	condition: () => boolean | Promise<boolean>,
	deadlineMs = 10_000,
): Promise<void> {
	const endMs = performance.now() + deadlineMs;
	while (!(await condition())) {
		if (performance.now() > endMs) throw new Error(`not within ${deadlineMs} ms: ${description}`);
		await wait(10);
	}
}
