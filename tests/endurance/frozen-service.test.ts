import { expect, test } from '@jest/globals';
import { eventually, startSystem } from '@paddock/testing';
import {
	p99Ms,
	type SteadyLoad,
	startSteadyLoad,
	statusCounts,
	type TimedAnswer,
} from '../resilience/timed-load.ts';
import { describeLong } from './describe-long.ts';
import { elapsed } from './elapsed.ts';

const frozenMs = 20_000;
const openMs = 3_000;
const warmMs = 4_000;
const healthyMs = 10_000;
// A p99 of a few milliseconds moves by some when a busy machine runs something else for a moment.
const machineMs = 15;

const codeOf = ({ body }: TimedAnswer): string => (JSON.parse(body) as { data: { code: string } }).data.code;

describeLong(process.env, 'a service that is frozen for 20 s under load', () => {
	test('504 at the deadline, then its breaker spares everybody; others are as quick as before', async () => {
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
			// The first seconds show code that is not compiled yet and connections that are not there yet.
			await elapsed(warmMs);
			const warmAt = performance.now();
			await elapsed(healthyMs);

			masterdata?.signal('SIGSTOP');
			const frozenAt = performance.now();
			await elapsed(frozenMs);
			masterdata?.signal('SIGCONT');
			const thawedAt = performance.now();
			const works = () =>
				countries.answers.some(({ sentAtMs, status }) => sentAtMs > thawedAt && status === 200);
			await eventually('it works again', works, openMs + 2_000);

			const asked = await countries.stop();
			expect(asked.filter(({ sentAtMs, status }) => sentAtMs < frozenAt - 500 && status !== 200)).toEqual([]);
			const failed = asked.filter(({ status }) => status !== 200);
			expect(new Set(failed.map((answer) => `${answer.status} ${codeOf(answer)}`))).toEqual(
				new Set(['504 UPSTREAM_TIMEOUT', '503 CIRCUIT_OPEN']),
			);
			// The response time-out of the gateway is the deadline of a request that nobody answers.
			const late = failed.filter(({ status }) => status === 504);
			expect(late.length).toBeGreaterThanOrEqual(10);
			expect(Math.min(...late.map(({ durationMs }) => durationMs))).toBeGreaterThanOrEqual(4_900);
			expect(Math.max(...late.map(({ durationMs }) => durationMs))).toBeLessThan(5_700);
			const spared = failed.filter(({ status }) => status === 503);
			// It opens when half of what was answered in the breaker's window has failed: the steadier it was, the later.
			expect(spared.length).toBeGreaterThan(20);
			expect(p99Ms(spared)).toBeLessThan(100);
			for (const { headers: sent } of spared) expect(Number(sent['retry-after'])).toBeGreaterThanOrEqual(1);

			for (const other of others) {
				const answers = await other.stop();
				expect(statusCounts(answers)).toEqual({ 200: answers.length });
				const before = answers.filter(({ sentAtMs }) => sentAtMs >= warmAt && sentAtMs < frozenAt);
				const meanwhile = answers.filter(({ sentAtMs }) => sentAtMs >= frozenAt && sentAtMs < thawedAt);
				expect(meanwhile.length).toBeGreaterThan(500);
				expect(p99Ms(meanwhile)).toBeLessThan(p99Ms(before) * 1.2 + machineMs);
			}
		} finally {
			await Promise.all(loads.map((load) => load.stop()));
			await system.stop();
		}
	}, 90_000);
});
