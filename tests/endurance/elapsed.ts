import { eventually } from '@paddock/testing';

/** Waits for a period that a test must last. To wait for a condition, use `eventually`. */
export async function elapsed(durationMs: number): Promise<void> {
	const endMs = performance.now() + durationMs;
	await eventually('the time has elapsed', () => performance.now() >= endMs, durationMs + 1_000);
}
