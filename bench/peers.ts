import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { peerCases, plainGet } from './gateway/cases.ts';
import { caseTable } from './gateway/report-text.ts';
import { runCase, warmUp } from './gateway/run-case.ts';
import { openBench, startFastify, startGateway, startPlainProxies, type Target } from './gateway/targets.ts';
import { full, machineOf, quick, writeDocs } from './gateway.ts';
import { assignCores } from './measure/cores.ts';
import { wrkLoad } from './measure/wrk-load.ts';
import { peers, startPeers } from './peers/start-peers.ts';

/** Before the first case: just-in-time compilers need many requests. */
const firstWarmUp = { warmUpSeconds: 4, warmUpRequests: 40_000 };

const results = new URL('results/', import.meta.url);

/**
 * Compares the gateway with other gateways that `bench/peers/install` has installed, one core each, interleaved in one
 * run. `--quick` makes a short run, `--write-docs` writes the tables into docs/performance.md.
 */
export async function runPeersBenchmark(args: readonly string[]): Promise<void> {
	const { values } = parseArgs({
		args: [...args],
		options: {
			quick: { type: 'boolean', default: false },
			'write-docs': { type: 'boolean', default: false },
		},
	});
	const [cores, effort] = [assignCores(), values.quick ? quick : full];
	const bench = await openBench(cores);
	const targets: Target[] = [bench.upstream];
	try {
		const started = await startPeers(bench);
		targets.push(...started.targets, await startGateway(bench), await startFastify(bench));
		targets.push(...(await startPlainProxies(bench)));
		const warm = { ...plainGet.load, tokens: bench.tokens(1) };
		for (const target of targets) await warmUp(target, warm, firstWarmUp, wrkLoad);
		const lines: string[] = [];
		for (const each of peerCases(peers.map(({ name }) => name))) {
			process.stderr.write(`${each.title} …\n`);
			lines.push(...caseTable(await runCase(each, { bench, available: targets, effort, generate: wrkLoad })));
		}
		const machine = Object.entries(machineOf(cores, 'wrk', values.quick));
		const text = [
			`Measured ${new Date().toISOString()}: ${machine.map((entry) => entry.join(' ')).join(', ')}.`,
			...started.missing.map((name) => `Not installed: ${name}.`),
			'',
			...lines,
		].join('\n');
		await mkdir(results, { recursive: true });
		await writeFile(new URL('peers.md', results), text);
		process.stdout.write(`${text}\n`);
		if (values['write-docs']) await writeDocs('peers', text);
	} finally {
		for (const target of targets.reverse()) await target.stop();
	}
}
