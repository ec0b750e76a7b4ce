import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import {
	p99Ms,
	type SteadyLoad,
	startSteadyLoad,
	statusCounts,
	type TimedResponse,
} from '../resilience/timed-load.ts';
import { startSystem } from '../system.ts';
import { describeLong } from './describe-long.ts';
import { elapsed } from './elapsed.ts';

const frozenMs = 20_000;
const openMs = 3_000;
const warmMs = 4_000;
const healthyMs = 10_000;
// Allows for the variation of a p99 of a few milliseconds on a busy machine.
const machineMs = 15;

const codeOf = ({ body }: TimedResponse): string =>
	(JSON.parse(body) as { data: { code: string } }).data.code;

describeLong(process.env, 'a service that is frozen for 20 s under load', () => {
	test('returns 504 at the deadline, then its breaker opens; other services keep their latency', async () => {
		const system = await startSystem({ gateway: { BREAKER_OPEN_MS: String(openMs) } });
		const loads: SteadyLoad[] = [];
		const start = (...args: Parameters<typeof startSteadyLoad>): SteadyLoad => {
			const load = startSteadyLoad(...args);
			loads.push(load);
			return load;
		};
		try {
			const { port } = system.gateway;
			const headers = { Authorization: `Bearer ${await system.signIn()}` };
			const [masterdata] = system.services.masterdata;
			const countries = start(10, { port, path: '/api/masterdata/countries?size=5' });
			const others = [
				start(30, { port, path: '/api/ping' }),
				start(30, { port, path: '/auth/profile', headers }),
			];
			// Excludes JIT compilation and new connections.
			await elapsed(warmMs);
			const warmAt = performance.now();
			await elapsed(healthyMs);

			masterdata?.signal('SIGSTOP');
			const frozenAt = performance.now();
			await elapsed(frozenMs);
			masterdata?.signal('SIGCONT');
			const thawedAt = performance.now();
			const works = () =>
				countries.responses.some(({ sentAtMs, status }) => sentAtMs > thawedAt && status === 200);
			await eventually('requests succeed again', works, openMs + 2_000);

			const countryResponses = await countries.stop();
			expect(
				countryResponses.filter(({ sentAtMs, status }) => sentAtMs < frozenAt - 500 && status !== 200),
			).toEqual([]);
			const failed = countryResponses.filter(({ status }) => status !== 200);
			expect(new Set(failed.map((response) => `${response.status} ${codeOf(response)}`))).toEqual(
				new Set(['504 UPSTREAM_TIMEOUT', '503 CIRCUIT_OPEN']),
			);
			// RESPONSE_TIMEOUT_MS applies to a request without a response.
			const late = failed.filter(({ status }) => status === 504);
			expect(late.length).toBeGreaterThanOrEqual(10);
			expect(Math.min(...late.map(({ durationMs }) => durationMs))).toBeGreaterThanOrEqual(4_900);
			expect(Math.max(...late.map(({ durationMs }) => durationMs))).toBeLessThan(5_700);
			const refused = failed.filter(({ status }) => status === 503);
			// The breaker opens when half of the attempts in its window have failed.
			expect(refused.length).toBeGreaterThan(20);
			expect(p99Ms(refused)).toBeLessThan(100);
			for (const { headers: sent } of refused) expect(Number(sent['retry-after'])).toBeGreaterThanOrEqual(1);

			for (const other of others) {
				const responses = await other.stop();
				expect(statusCounts(responses)).toEqual({ 200: responses.length });
				const before = responses.filter(({ sentAtMs }) => sentAtMs >= warmAt && sentAtMs < frozenAt);
				const during = responses.filter(({ sentAtMs }) => sentAtMs >= frozenAt && sentAtMs < thawedAt);
				expect(during.length).toBeGreaterThan(500);
				expect(p99Ms(during)).toBeLessThan(p99Ms(before) * 1.2 + machineMs);
			}
		} finally {
			await Promise.all(loads.map((load) => load.stop()));
			await system.stop();
		}
	}, 90_000);
});
