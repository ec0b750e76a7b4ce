import { eventually } from '@paddock/testing';

/** Resolves when so many milliseconds are over, for what shall last that long. What a test waits for it polls for. */
export async function elapsed(durationMs: number): Promise<void> {
	const endMs = performance.now() + durationMs;
	await eventually('the time is over', () => performance.now() >= endMs, durationMs + 1_000);
}
