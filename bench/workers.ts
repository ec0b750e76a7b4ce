import { parseArgs } from 'node:util';
import { plainGet } from './gateway/cases.ts';
import { spread } from './gateway/claims.ts';
import { ratio } from './gateway/figures.ts';
import { caseTable } from './gateway/report-text.ts';
import { runCase, warmUp } from './gateway/run-case.ts';
import { openBench, startGateway, type Target } from './gateway/targets.ts';
import { full } from './gateway.ts';
import { oneSetOfCores } from './measure/cores.ts';
import { type CpuGroup, hasCpuQuotas, openCpuGroup } from './measure/cpu-quota.ts';
import { type Load, loadGenerator } from './measure/load.ts';
import { descendantsOf, ownCpuMicroseconds } from './measure/process-usage.ts';

const firstWarmUp = { warmUpSeconds: 3, warmUpRequests: 30_000 };
const names = ['gateway, 2 workers', 'gateway'] as const;
const generate = loadGenerator().run;

/**
 * Compares two workers with a single process on a machine with too few cores for both: each process gets at most `--share`
 * of a core by a CPU quota, and the primary process and its workers together twice that; load and upstream have the rest.
 * With `--redis=URL` the rate limits are in Redis.
 */
export async function runWorkersBenchmark(args: readonly string[]): Promise<void> {
	const { values } = parseArgs({
		args: [...args],
		options: {
			share: { type: 'string', default: '0.25' },
			rounds: { type: 'string', default: '10' },
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
		for (const [at, name] of names.entries())
			targets.push(await startGateway(bench, { name, settings: { ...redis, WORKERS: String(2 - at) } }));
		const load = { ...plainGet.load, tokens: bench.tokens(1) };
		for (const target of targets) await warmUp(target, load, firstWarmUp, generate);
		limit(targets as [Target, Target], Number(values.share), groups);
		const plan = { ...plainGet, targets: names };
		const effort = { ...full, guaranteedRounds: Number(values.rounds) };
		const result = await runCase(plan, { bench, available: targets, effort, generate });
		const rates = ratio(result, names, (each) => each.requestsPerSecond);
		const [pair] = targets as [Target];
		const [{ rounds }] = result.targets as unknown as [(typeof result.targets)[number]];
		const pauseMs = (2_000 * load.connections) / (rounds[0]?.requestsPerSecond ?? 0);
		const lines = [
			...caseTable(result),
			`Two workers ÷ one process, requests/s: ${spread(rates)}.`,
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
function limit([pair, single]: readonly [Target, Target], share: number, groups: CpuGroup[]): void {
	const add = (name: string, cores: number, pid?: number): void => {
		const group = openCpuGroup(name, cores);
		groups.push(group);
		if (pid !== undefined) group.add(pid);
	};
	add('single', share, single.pid);
	add('pair', 2 * share);
	for (const pid of processesOf(pair)) add(`pair/${pid}`, share, pid);
}

/** The primary process, then its workers. */
function processesOf({ pid }: Target): number[] {
	return [pid, ...descendantsOf(pid)];
}

async function costByProcess(target: Target, load: Load): Promise<string> {
	const spent = () => processesOf(target).map(ownCpuMicroseconds);
	const before = spent();
	const { requests } = await generate(target.origin, load, full.seconds);
	const [primary, ...workers] = spent().map((after, at) =>
		((after - (before[at] ?? 0)) / requests).toFixed(1),
	);
	return `primary process ${primary}, workers ${workers.join(' and ')}`;
}
