import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { plainGet } from './gateway/cases.ts';
import { measure, warmUp } from './gateway/run-case.ts';
import { openBench, startFastify, startGateway, startPlainProxies, type Target } from './gateway/targets.ts';
import { machineOf, writeDocs } from './gateway.ts';
import { assignCores, isInstalled, oneSetOfCores } from './measure/cores.ts';
import type { Load } from './measure/load.ts';
import { ohaLoad, type Tail } from './measure/oha-load.ts';
import { cpuMicroseconds } from './measure/process-usage.ts';
import { wrkLoad } from './measure/wrk-load.ts';
import { startPeers } from './peers/start-peers.ts';

const firstWarmUp = { warmUpSeconds: 3, warmUpRequests: 40_000 };
const settleSeconds = 3;
const twoWorkers = { name: 'gateway, 2 workers', settings: { WORKERS: '2' } };
const results = new URL('results/', import.meta.url);

/**
 * Compares the latencies of the gateway and its peers at one fixed rate, half of the gateway's throughput, one target at a
 * time on a core of its own, in one run. With `--workers` the gateway has two, all processes share all cores, and the rate is
 * half of the throughput there. `--seconds=20` for each, `--rounds=1`; `--write-docs` writes the table into docs/performance.md.
 */
export async function runTailBenchmark(args: readonly string[]): Promise<void> {
	const { values } = parseArgs({
		args: [...args],
		options: {
			seconds: { type: 'string', default: '20' },
			rounds: { type: 'string', default: '1' },
			workers: { type: 'boolean', default: false },
			'write-docs': { type: 'boolean', default: false },
		},
	});
	if (!isInstalled('oha')) {
		process.stdout.write('Skipped: oha is not installed.\n');
		return;
	}
	const seconds = Number(values.seconds);
	// With a core of its own, the load would slow the one worker that shares it.
	const bench = await openBench(values.workers ? oneSetOfCores : assignCores());
	const targets: Target[] = [bench.upstream];
	try {
		targets.push(await startGateway(bench, values.workers ? twoWorkers : undefined));
		targets.push(await startFastify(bench), ...(await startPlainProxies(bench)));
		const { targets: others, missing } = await startPeers(bench);
		targets.push(...others);
		const load = { ...plainGet.load, tokens: bench.tokens(1) };
		for (const target of targets) await warmUp(target, load, firstWarmUp, wrkLoad);
		const [, gateway] = targets as [Target, Target];
		const { requestsPerSecond } = await measure(gateway, load, 4, wrkLoad);
		const rate = Math.round(requestsPerSecond / 200) * 100;
		const rows: string[] = [];
		for (let round = 0; round < Number(values.rounds); round += 1)
			for (const target of [...targets.slice(1), bench.upstream])
				rows.push(await measureTail(target, targets, { load, rate, seconds }));
		const machine = Object.entries(machineOf(bench.cores, 'oha', false));
		const text = [
			`Measured ${new Date().toISOString()}: ${machine.map((entry) => entry.join(' ')).join(', ')}, ${rate} requests/s, ${load.connections} connections, ${seconds} s.`,
			...missing.map((name) => `Not installed: ${name}.`),
			'',
			'| target | requests/s | CPU µs/request | p50 ms | p99 ms | p99.9 ms | slowest ms | errors |',
			'|---|--:|--:|--:|--:|--:|--:|--:|',
			...rows,
			'',
		].join('\n');
		await mkdir(results, { recursive: true });
		await writeFile(new URL(values.workers ? 'tail-workers.md' : 'tail.md', results), text);
		process.stdout.write(`${text}\n`);
		if (values['write-docs']) await writeDocs(values.workers ? 'tail --workers' : 'tail', text);
	} finally {
		for (const target of targets.reverse()) await target.stop();
	}
}

async function measureTail(
	target: Target,
	all: readonly Target[],
	{ load, rate, seconds }: { load: Load; rate: number; seconds: number },
): Promise<string> {
	process.stderr.write(`${target.name} …\n`);
	for (const each of all) each.setPaused(each !== target);
	// A process that was stopped has timers and collections to catch up with.
	await ohaLoad(target.origin, load, rate, settleSeconds);
	const before = cpuMicroseconds(target.pid);
	const tail = await ohaLoad(target.origin, load, rate, seconds);
	return rowOf(target.name, tail, cpuMicroseconds(target.pid) - before);
}

function rowOf(name: string, tail: Tail, cpuMicroseconds: number): string {
	const latencies = [tail.p50Ms, tail.p99Ms, tail.p999Ms, tail.slowestMs].map((each) => each.toFixed(2));
	const cpu = (cpuMicroseconds / Math.max(1, tail.requests)).toFixed(1);
	return `| ${[name, Math.round(tail.requestsPerSecond), cpu, ...latencies, tail.errors].join(' | ')} |`;
}
