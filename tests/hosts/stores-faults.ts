import { expect, test } from '@jest/globals';
import { elapsed } from '../endurance/elapsed.ts';
import type { Hosts } from './hosts.ts';
import type { Outcome } from './load.ts';
import { causesOf, underLoad } from './under-load.ts';

const detectionMs = 3_000;
const recoveryMsMax = 2_000;

export function storeFaults(system: () => Hosts): void {
	test('Redis is killed and comes back: no GET fails', async () => {
		const hosts = system();
		const { failedGets } = await underLoad(hosts, async () => {
			await hosts.redis.kill();
			await elapsed(10_000);
			await hosts.redis.restart();
			await elapsed(5_000);
		});
		expect(causesOf(failedGets)).toEqual({});
	});

	test('PgBouncer is restarted: requests succeed within 2 s after it', async () => {
		const hosts = system();
		let backAtMs = 0;
		const { failedGets, failedPosts } = await underLoad(hosts, async () => {
			await hosts.poolers.at('h3').restart();
			backAtMs = performance.now();
			await elapsed(10_000);
		});
		expect(causesOf(after(backAtMs + recoveryMsMax, [...failedGets, ...failedPosts]))).toEqual({});
		expect(causesOf(failedGets.filter(({ path }) => path === '/api/ping'))).toEqual({});
	});

	test('the host of the primary is lost and the standby is promoted: requests succeed within 2 s after it', async () => {
		const hosts = system();
		let promotedAtMs = 0;
		const { failedGets, failedPosts } = await underLoad(hosts, async () => {
			await hosts.network.cut('h3');
			await elapsed(detectionMs);
			await hosts.postgres.promote();
			promotedAtMs = performance.now();
			await elapsed(15_000);
		});
		expect(causesOf(after(promotedAtMs + recoveryMsMax, [...failedGets, ...failedPosts]))).toEqual({});
		expect(causesOf(failedGets.filter(({ path }) => path === '/api/ping'))).toEqual({});
	});
}

/** The failures of requests that were sent later. */
function after(sinceMs: number, failures: readonly Outcome[]): Outcome[] {
	return failures.filter(({ atMs, durationMs }) => atMs - durationMs > sinceMs);
}
