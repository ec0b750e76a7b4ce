import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Case, equalPair, gatewayCases, plainGet, tracesPair } from './gateway/cases.ts';
import type { GatewayReport } from './gateway/claims.ts';
import { joinBlocks } from './gateway/figures.ts';
import { measureLongRun } from './gateway/long-run.ts';
import { reportText } from './gateway/report-text.ts';
import { type CaseResult, type Effort, runCase, warmUp } from './gateway/run-case.ts';
import { measureStreaming } from './gateway/stream-memory.ts';
import {
	type Bench,
	type GatewayTargetOptions,
	openBench,
	startFastify,
	startGateway,
	startGatewayPair,
	startPlainProxies,
	type Target,
} from './gateway/targets.ts';
import { measureWholeSystem } from './gateway/whole-system.ts';
import { openBatchLoad } from './measure/batch-load.ts';
import { assignCores, type Cores } from './measure/cores.ts';
import type { LoadGenerator } from './measure/load.ts';
import { wrkLoad } from './measure/wrk-load.ts';

export const full: Effort = {
	warmUpSeconds: 2,
	warmUpRequests: 10_000,
	rounds: 3,
	guaranteedRounds: 7,
	seconds: 4,
	fine: { rounds: 30, seconds: 1 },
	blocks: { count: 24, rounds: 24, seconds: 0.2 },
};
export const quick: Effort = {
	warmUpSeconds: 1,
	warmUpRequests: 5_000,
	rounds: 1,
	guaranteedRounds: 1,
	seconds: 2,
	fine: { rounds: 5, seconds: 1 },
	blocks: { count: 2, rounds: 10, seconds: 0.2 },
};
/** Warm-up of each target before the first case, and in each block. */
const firstWarmUp = {
	full: { warmUpSeconds: 5, warmUpRequests: 40_000 },
	quick: { warmUpSeconds: 2, warmUpRequests: 15_000 },
	blocks: { warmUpSeconds: 3, warmUpRequests: 20_000 },
};
const longRunMarks = { full: [200_000, 1_000_000, 2_000_000], quick: [20_000, 40_000] };

const results = new URL('results/', import.meta.url);
const page = new URL('../docs/performance.md', import.meta.url);

/** The parts of a run; `--only` selects parts or single cases by name. */
const parts = ['cases', 'streaming', 'long-run', 'whole-system'] as const;

/**
 * Measures the gateway and its peers. `--quick` makes a short run, `--only=get,post` selects cases or parts,
 * `--write-docs` writes the tables into docs/performance.md.
 */
export async function runGatewayBenchmark(args: readonly string[]): Promise<void> {
	const { values } = parseArgs({
		args: [...args],
		options: {
			quick: { type: 'boolean', default: false },
			'write-docs': { type: 'boolean', default: false },
			only: { type: 'string', default: parts.join(',') },
		},
	});
	const cores = assignCores();
	const bench = await openBench(cores);
	try {
		const report = await measureAll(bench, wrkLoad, { quick: values.quick, only: values.only.split(',') });
		const text = reportText({ ...report, machine: machineOf(cores, 'wrk', values.quick) });
		await mkdir(results, { recursive: true });
		await writeFile(new URL('gateway.json', results), `${JSON.stringify(report, undefined, '\t')}\n`);
		await writeFile(new URL('gateway.md', results), text);
		process.stdout.write(`${text}\n${fileURLToPath(new URL('gateway.json', results))}\n`);
		if (values['write-docs']) await writeDocs('gateway', text);
	} finally {
		await bench.stop();
	}
}

interface Choice {
	readonly quick: boolean;
	readonly only: readonly string[];
}

async function measureAll(bench: Bench, generate: LoadGenerator, { quick: isQuick, only }: Choice) {
	const effort = isQuick ? quick : full;
	const kind = isQuick ? 'quick' : 'full';
	const isSelected = (part: (typeof parts)[number]): boolean => only.includes(part);
	const cases = gatewayCases.filter(({ name }) => isSelected('cases') || only.includes(name));
	// First, because it fails most often, and all cases take most of an hour.
	const wholeSystem = isSelected('whole-system')
		? await measureWholeSystem(bench, effort, generate)
		: undefined;
	const measured =
		cases.length === 0 ? [] : await runCases(bench, generate, cases, effort, firstWarmUp[kind]);
	const report: GatewayReport = {
		at: new Date().toISOString(),
		machine: {},
		cases: measured,
		streaming: isSelected('streaming') ? await measureStreaming(bench) : [],
		longRun: isSelected('long-run')
			? await measureLongRun(bench, plainGet, longRunMarks[kind], generate)
			: undefined,
		wholeSystem,
	};
	return report;
}

async function runCases(
	bench: Bench,
	generate: LoadGenerator,
	cases: readonly Case[],
	effort: Effort,
	first: (typeof firstWarmUp)['full'],
): Promise<CaseResult[]> {
	const sharing = cases.filter(({ isByBlocks }) => isByBlocks !== true);
	const done = sharing.length === 0 ? [] : await runOnTargets(bench, generate, sharing, effort, first);
	for (const each of cases.filter(({ isByBlocks }) => isByBlocks === true)) {
		const blocks: CaseResult[] = [];
		const load = openBatchLoad(exportDelayMs + 100);
		while (blocks.length < effort.blocks.count)
			blocks.push(...(await runOnTargets(bench, wrkLoad, [each], effort, firstWarmUp.blocks)));
		load.close();
		done.push(joinBlocks(each, blocks));
	}
	return done;
}

/** Starts the targets of these cases, measures the cases and stops the targets. */
async function runOnTargets(
	bench: Bench,
	generate: LoadGenerator,
	cases: readonly Case[],
	effort: Effort,
	first: (typeof firstWarmUp)['full'],
): Promise<CaseResult[]> {
	const targets: Target[] = [bench.upstream];
	const collector = await startTraceSink();
	try {
		const wanted = new Set(cases.flatMap((each) => each.targets));
		for (const [name, start] of Object.entries(starters(bench)))
			if (wanted.has(name)) targets.push(await start(name));
		if (wanted.has(tracesPair[1])) targets.push(...(await startPairs(bench, collector.url)));
		if (wanted.has('nginx') || wanted.has('haproxy')) targets.push(...(await startPlainProxies(bench)));
		const warm = { ...plainGet.load, tokens: bench.tokens(1) };
		for (const target of targets) if (wanted.has(target.name)) await warmUp(target, warm, first, generate);
		const done: CaseResult[] = [];
		for (const each of cases) {
			process.stderr.write(`${each.title} …\n`);
			done.push(await runCase(each, { bench, available: targets, effort, generate }));
		}
		return done;
	} finally {
		for (const target of targets.slice(1).reverse()) await target.stop();
		collector.close();
	}
}

/** The targets except the plain proxies, by name. */
function starters(bench: Bench): Record<string, (name: string) => Promise<Target>> {
	const gateway = (options: Omit<GatewayTargetOptions, 'name'> = {}) => {
		return (name: string) => startGateway(bench, { ...options, name });
	};
	return {
		gateway: gateway(),
		'gateway-twin': gateway(),
		'gateway-third': gateway(),
		fastify: () => startFastify(bench),
		'gateway-10': gateway({ instances: 10 }),
		'gateway-50': gateway({ instances: 50 }),
		'gateway-6-contexts': gateway({ settings: { CONTEXTS: 'auth,members,masterdata,horses,events,ping' } }),
	};
}

/** A round waits for the export of its own spans. They are exported more often than by default, at the expense of the traces. */
const exportDelayMs = 150;

async function startPairs(bench: Bench, collectorUrl: string): Promise<Target[]> {
	const settings = {
		OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
		OTEL_TRACES_SAMPLER_ARG: '0.01',
		OTEL_BSP_SCHEDULE_DELAY: String(exportDelayMs),
	};
	return [
		...(await startGatewayPair(bench, tracesPair, settings)),
		...(await startGatewayPair(bench, equalPair, {})),
	];
}

/** The conditions of a run, for its report. */
export function machineOf(cores: Cores, load: string, isQuick: boolean): GatewayReport['machine'] {
	return {
		processor: cpus()[0]?.model ?? 'unknown',
		node: process.version,
		load,
		'dedicated core for the measured process:': cores.areSeparate ? 'yes' : 'no',
		...(isQuick ? { 'quick run:': 'low precision' } : {}),
	};
}

/** Writes the tables of a benchmark between its two markers. @throws if the page lacks a marker */
export async function writeDocs(benchmark: string, text: string): Promise<void> {
	const before = await readFile(page, 'utf8');
	const begin = `<!-- figures: npm run bench -- ${benchmark} --write-docs -->`;
	const from = before.indexOf(begin);
	const to = before.indexOf('<!-- end of figures -->', from);
	if (from === -1 || to === -1) throw new Error('docs/performance.md lacks the markers for the figures.');
	await writeFile(page, `${before.slice(0, from)}${begin}\n${text}\n${before.slice(to)}`);
}

/** A collector of traces that discards what it receives. */
async function startTraceSink(): Promise<{ readonly url: string; close(): void }> {
	const server = createServer((req, res) => {
		req.resume().on('end', () => res.end());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
