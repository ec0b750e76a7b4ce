import { afterEach, expect, test } from '@jest/globals';
import type { Registry } from '@paddock/discovery';
import { eventually } from '@paddock/testing';
import { type StopReading, startReading } from './contract-reader.ts';

const instance = { id: 'a', url: 'http://127.0.0.1:1', meta: {} };

let stop: StopReading = () => undefined;
afterEach(() => stop());

/** Resolves to the milliseconds between the end of the first judgement and the second reading. */
async function pauseAfter(judge: () => Promise<void>): Promise<number> {
	let judgedAt = Number.NaN;
	let readAgainAt: number | undefined;
	const snapshot = { instances: [instance], stale: false };
	const watch = {
		current: () => snapshot,
		responded: () => true,
		onChange: () => () => undefined,
		stop: () => undefined,
	};
	stop = startReading(
		{
			registry: { watch: () => watch } as unknown as Registry,
			client: {
				fetch: async () => {
					if (!Number.isNaN(judgedAt)) readAgainAt ??= performance.now();
					return { unchanged: false, text: '{}', etag: undefined };
				},
				close: () => undefined,
			},
			isHealthy: async () => true,
			refreshMs: 10,
			onRead: async () => {
				if (Number.isNaN(judgedAt)) {
					await judge();
					judgedAt = performance.now();
				}
				return true;
			},
			onUnreachable: () => undefined,
			onProblem: () => undefined,
		},
		{ service: 'farriers', path: '/openapi.json' },
	);
	await eventually('it is read again', () => readAgainAt !== undefined, 15_000);
	return (readAgainAt ?? Number.NaN) - judgedAt;
}

test('a contract whose judgement takes processor time is read again after twenty times that', async () => {
	const pauseMs = await pauseAfter(async () => {
		const { user } = process.cpuUsage();
		const text = JSON.stringify(Array.from({ length: 10_000 }, (_each, at) => at));
		while (process.cpuUsage().user - user < 60_000) JSON.parse(text);
	});
	expect(pauseMs).toBeGreaterThan(1_100);
});

// A busy machine or a slow disk: a change of the contract would be noticed late.
test('a contract whose judgement waits is read again as soon as any other', async () => {
	const waitedMs = 600;
	const pauseMs = await pauseAfter(() => new Promise((resolve) => setTimeout(resolve, waitedMs)));
	expect(pauseMs).toBeLessThan(20 * waitedMs - 1_000);
});
