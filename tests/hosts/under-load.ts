import { appendFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { withClient } from '@paddock/database';
import { eventually } from '@paddock/testing';
import { quantile } from '../resilience/timed-load.ts';
import { logDirectory } from './host-process.ts';
import type { Hosts } from './hosts.ts';
import { type HostsLoad, type Outcome, startHostsLoad } from './load.ts';

export interface UnderLoad {
	readonly gets: readonly Outcome[];
	readonly failedGets: readonly Outcome[];
	readonly failedPosts: readonly Outcome[];
}

/**
 * Calls `fault` under load, with a POST for each ten GETs. Expects that no
 * POST was carried out twice, no acknowledged one is lost, and each was acknowledged in the end. Figures are appended to a file.
 */
export async function underLoad(
	hosts: Hosts,
	fault: (load: HostsLoad) => Promise<unknown>,
): Promise<UnderLoad> {
	const { getsPerSecond } = hosts;
	const { host, port, certificate } = hosts.proxy;
	const rates = { getsPerSecond, postsPerSecond: getsPerSecond / 10 };
	const load = startHostsLoad({ host, port, certificate, token: hosts.token, ...rates });
	try {
		await eventually('the load runs', () => load.outcomes.length > getsPerSecond * 3, 60_000);
		await fault(load);
	} finally {
		await load.stop();
	}
	const gets = load.outcomes.filter(({ method }) => method === 'GET');
	const failedGets = gets.filter(({ status }) => status !== 200);
	const failedPosts = load.outcomes.filter(({ method, status }) => method === 'POST' && status !== 201);
	const stored = await storedTimes(hosts, [...load.ledger.keys()]);
	const entries = [...load.ledger].map(([name, acknowledged]) => ({
		acknowledged,
		times: stored.get(name) ?? 0,
	}));
	const count = (matches: (entry: (typeof entries)[number]) => boolean) => entries.filter(matches).length;
	const posts = {
		doubled: count(({ times }) => times > 1),
		lost: count(({ acknowledged, times }) => acknowledged && times === 0),
		givenUp: count(({ acknowledged }) => !acknowledged),
	};
	const durations = gets.map(({ durationMs }) => durationMs);
	const figures = {
		test: expect.getState().currentTestName,
		getsPerSecond,
		gets: gets.length,
		failedGets: failedGets.length,
		p50Ms: Math.round(quantile(durations, 0.5)),
		p99Ms: Math.round(quantile(durations, 0.99)),
		maxMs: Math.round(Math.max(...durations)),
		posts: load.ledger.size,
		failedPostAttempts: failedPosts.length,
		...posts,
		causes: causesOf([...failedGets, ...failedPosts]),
		/** With their request ids, for the logs. */
		failed: failedGets,
	};
	await appendFile(`${logDirectory}/figures.jsonl`, `${JSON.stringify(figures)}\n`);
	expect(posts).toEqual({ doubled: 0, lost: 0, givenUp: 0 });
	return { gets, failedGets, failedPosts };
}

/** How often each failure occurred. */
export function causesOf(failures: readonly Outcome[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { method, path, status, cause } of failures) {
		const code = /"code":"(\w+)"/.exec(cause)?.[1] ?? cause;
		const name = `${method} ${path}: ${status} ${code}`;
		counts[name] = (counts[name] ?? 0) + 1;
	}
	return counts;
}

/** How many members of each name there are. */
async function storedTimes(hosts: Hosts, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
	const select =
		'select first_name as name, count(*)::int as times from members where first_name = any($1) group by 1';
	return await withClient(hosts.postgres.url('members'), async (client) => {
		const { rows } = await client.query<{ name: string; times: number }>(select, [names]);
		return new Map(rows.map(({ name, times }) => [name, times]));
	});
}
