import { runGatewayBenchmark } from './gateway.ts';
import { runPeersBenchmark } from './peers.ts';
import { runRegistriesBenchmark } from './registries.ts';
import { runTailBenchmark } from './tail.ts';
import { runWorkersBenchmark } from './workers.ts';

/** The benchmarks of `npm run bench -- NAME`. */
const benchmarks: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
	gateway: runGatewayBenchmark,
	peers: runPeersBenchmark,
	registries: runRegistriesBenchmark,
	tail: runTailBenchmark,
	workers: runWorkersBenchmark,
};

const [name = '', ...args] = process.argv.slice(2);
const run = benchmarks[name];
if (run === undefined) {
	process.stderr.write(`usage: npm run bench -- ${Object.keys(benchmarks).join(' | ')}\n`);
	process.exitCode = 2;
} else await run(args);
