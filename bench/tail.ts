import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { plainGet } from './gateway/cases.ts';
import { measure, warmUp } from './gateway/run-case.ts';
import { openBench, startFastify, startGateway, startPlainProxies, type Target } from './gateway/targets.ts';
import { machineOf, writeDocs } from './gateway.ts';
import { assignCores, isInstalled } from './measure/cores.ts';
import { type Load, loadGenerator } from './measure/load.ts';
import { ohaLoad, type Tail } from './measure/oha-load.ts';
import { cpuMicroseconds } from './measure/process-usage.ts';
import { startPeers } from './peers/start-peers.ts';

const firstWarmUp = { warmUpSeconds: 3, warmUpRequests: 40_000 };
const settleSeconds = 3;
const twoWorkers = { name: 'gateway, 2 workers', settings: { WORKERS: '2' } };
const results = new URL('results/', import.meta.url);

/**
 * Compares the latencies of the gateway and its peers at one fixed rate, half of the gateway's throughput, one core each in
 * turn, in one run. With `--workers` all targets are on all cores, beside the load, and the rate is half of the throughput of
 * two workers there. `--seconds=20` for each, `--rounds=1`; without `--workers`,
 * `--write-docs` writes the table into docs/performance.md.
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
	const [cores, full, seconds] = [assignCores(), loadGenerator(), Number(values.seconds)];
	const opened = await openBench(cores);
	const bench = values.workers
		? { ...opened, cores: { ...cores, areSeparate: false, measured: cores.all } }
		: opened;
	const targets: Target[] = [bench.upstream];
	try {
		targets.push(await startGateway(bench, values.workers ? twoWorkers : undefined));
		targets.push(await startFastify(bench), ...(await startPlainProxies(bench)));
		const { targets: others, missing } = await startPeers(bench);
		targets.push(...others);
		const load = { ...plainGet.load, tokens: bench.tokens(1) };
		for (const target of targets) await warmUp(target, load, firstWarmUp, full.run);
		const [, gateway] = targets as [Target, Target];
		const { requestsPerSecond } = await measure(gateway, load, 4, full.run);
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
		if (values['write-docs'] && !values.workers) await writeDocs('tail', text);
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
