import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { descendantsOf } from '../libs/testing/src/process-tree.ts';
import { plainGet } from './gateway/cases.ts';
import { spread } from './gateway/claims.ts';
import { type Figure, figureOf, ratio } from './gateway/figures.ts';
import { caseTable } from './gateway/report-text.ts';
import { type CaseResult, runCase, warmUp } from './gateway/run-case.ts';
import { openBench, startGateway, type Target } from './gateway/targets.ts';
import { full } from './gateway.ts';
import { oneSetOfCores } from './measure/cores.ts';
import { type CpuGroup, hasCpuQuotas, openCpuGroup } from './measure/cpu-quota.ts';
import type { Load, LoadGenerator } from './measure/load.ts';
import { ownCpuMicroseconds } from './measure/process-usage.ts';
import { wrkLoad } from './measure/wrk-load.ts';

const firstWarmUp = { warmUpSeconds: 3, warmUpRequests: 30_000 };
const names = ['gateway, 2 workers', 'gateway'] as const;

/**
 * Compares two workers with a single process on a machine with too few cores for both: each process gets at most `--share`
 * of a core by a CPU quota, and the primary process and its workers together twice that; load and upstream have the rest.
 * Two separate gateways, each with half of the connections, show the ratio that this machine allows.
 * With `--redis=URL` the rate limits are in Redis.
 */
export async function runWorkersBenchmark(args: readonly string[]): Promise<void> {
	const { values } = parseArgs({
		args: [...args],
		options: {
			share: { type: 'string', default: '0.25' },
			rounds: { type: 'string', default: '6' },
			redis: { type: 'string' },
		},
	});
	if (!hasCpuQuotas()) {
		process.stdout.write('Skipped: needs root and control groups of version 1.\n');
		return;
	}
	const bench = await openBench(oneSetOfCores);
	const redis = values.redis === undefined ? {} : { REDIS_URL: values.redis };
	const targets: Target[] = [];
	const groups: CpuGroup[] = [];
	try {
		for (const [name, workers] of [
			...names.map((name, at) => [name, 2 - at] as const),
			['second', 1] as const,
		])
			targets.push(await startGateway(bench, { name, settings: { ...redis, WORKERS: String(workers) } }));
		const [pair, single, second] = targets as [Target, Target, Target];
		const load = { ...plainGet.load, tokens: bench.tokens(1) };
		for (const target of targets) await warmUp(target, load, firstWarmUp, wrkLoad);
		limit({ pair, single, second }, Number(values.share), groups);
		const effort = { ...full, guaranteedRounds: Number(values.rounds) };
		const counted = withSplits(pair);
		const plan = { ...plainGet, targets: names };
		const result = await runCase(plan, { bench, available: targets, effort, generate: counted.generate });
		const rates = ratio(result, names, (each) => each.requestsPerSecond);
		const [{ rounds }] = result.targets as unknown as [(typeof result.targets)[number]];
		const pauseMs = (2_000 * load.connections) / (rounds[0]?.requestsPerSecond ?? 0);
		const lines = [
			...caseTable(result),
			...splitTable(result, counted.splits.slice(-rounds.length)),
			`Two workers ÷ one process, requests/s: ${spread(rates)}.`,
			`Two separate processes ÷ one: ${spread(await separate(load, [single, second], rounds.length))}.`,
			`Full load, CPU µs/request: ${await costByProcess(pair, load)}.`,
			`Half load, CPU µs/request: ${await costByProcess(pair, { ...load, pauseMs })}.`,
		];
		process.stdout.write(`${lines.join('\n')}\n`);
	} finally {
		for (const target of targets) await target.stop();
		for (const group of groups.reverse()) group.remove();
		await bench.stop();
	}
}

/** Adds the groups to `groups`. */
function limit(
	{ pair, single, second }: Readonly<Record<'pair' | 'single' | 'second', Target>>,
	share: number,
	groups: CpuGroup[],
): void {
	const add = (name: string, cores: number, pid?: number): void => {
		const group = openCpuGroup(name, cores);
		groups.push(group);
		if (pid !== undefined) group.add(pid);
	};
	add('single', share, single.pid);
	add('second', share, second.pid);
	add('pair', 2 * share);
	for (const pid of processesOf(pair)) add(`pair/${pid}`, share, pid);
}

/** The primary process, then its workers. */
function processesOf({ pid }: Target): number[] {
	return [pid, ...descendantsOf(pid)];
}

/** The connections of each worker, early and late in a round. */
type Split = readonly (readonly number[])[];

/** The load generator, and the splits of each of its loads at the target, the last one last. */
function withSplits(target: Target): { readonly generate: LoadGenerator; readonly splits: Split[] } {
	const [, ...workers] = processesOf(target);
	const port = Number(new URL(target.origin).port);
	const splits: Split[] = [];
	const counted: LoadGenerator = async (origin, load, seconds) => {
		if (origin !== target.origin) return await wrkLoad(origin, load, seconds);
		const split: number[][] = [];
		splits.push(split);
		const timers = [0.1, 0.9].map((share) =>
			setTimeout(() => split.push(openConnections(port, workers)), share * seconds * 1_000),
		);
		try {
			return await wrkLoad(origin, load, seconds);
		} finally {
			for (const timer of timers) clearTimeout(timer);
		}
	};
	return { generate: counted, splits };
}

/** One row per round: an uneven split explains a low ratio. */
function splitTable({ targets }: CaseResult, splits: readonly Split[]): string[] {
	const [pair, single] = targets;
	const rows = splits.map((split, round) => {
		const rate = (of: typeof pair): number => of?.rounds[round]?.requestsPerSecond ?? Number.NaN;
		const [early, late] = split.map((counts) => counts.join(' and '));
		const rates = [rate(pair), rate(single)];
		const cells = [...rates.map(Math.round), (rate(pair) / rate(single)).toFixed(2), early, late];
		return `| ${cells.join(' | ')} |`;
	});
	const head = '| two workers, requests/s | one process | ratio | connections, early | late |';
	return [head, '|--:|--:|--:|---|---|', ...rows, ''];
}

/** The requests/s of both targets, each with half of the connections, by those of the first with all of them. */
async function separate(
	load: Load,
	[one, other]: readonly [Target, Target],
	rounds: number,
): Promise<Figure> {
	const half = { ...load, connections: load.connections / 2 };
	const { seconds } = full;
	const ratios: number[] = [];
	for (let round = 0; round < rounds; round += 1) {
		const both = await Promise.all([one, other].map(({ origin }) => wrkLoad(origin, half, seconds)));
		const alone = await wrkLoad(one.origin, load, seconds);
		ratios.push(both.reduce((sum, { requests }) => sum + requests, 0) / alone.requests);
	}
	return figureOf(ratios);
}

async function costByProcess(target: Target, load: Load): Promise<string> {
	const spent = () => processesOf(target).map(ownCpuMicroseconds);
	const before = spent();
	const { requests } = await wrkLoad(target.origin, load, full.seconds);
	const [primary, ...workers] = spent().map((after, at) =>
		((after - (before[at] ?? 0)) / requests).toFixed(1),
	);
	return `primary process ${primary}, workers ${workers.join(' and ')}`;
}

const established = '01';

/** The number of clients' connections to an IPv4 port that each process has accepted. Linux only. */
function openConnections(port: number, pids: readonly number[]): number[] {
	const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
	const sockets = new Set<string>();
	for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
		// Number, local address, remote address, state, …; the inode is the tenth field.
		const fields = line.trim().split(/\s+/);
		if (fields[1]?.endsWith(local) && fields[3] === established) sockets.add(`socket:[${fields[9]}]`);
	}
	return pids.map((pid) => descriptorsOf(pid).filter((target) => sockets.has(target)).length);
}

/** What the file descriptors of a process refer to. */
function descriptorsOf(pid: number): string[] {
	return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
		try {
			return readlinkSync(`/proc/${pid}/fd/${fd}`);
		} catch {
			return []; // Closed since the directory was read.
		}
	});
}
