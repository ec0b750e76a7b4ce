import { runGatewayBenchmark } from './gateway.ts';
import { runRegistriesBenchmark } from './registries.ts';

/** What `npm run bench -- NAME` can measure. */
const benchmarks: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
	gateway: runGatewayBenchmark,
	registries: runRegistriesBenchmark,
};

const [name = '', ...args] = process.argv.slice(2);
const run = benchmarks[name];
if (run === undefined) {
	process.stderr.write(`usage: npm run bench -- ${Object.keys(benchmarks).join(' | ')}\n`);
	process.exitCode = 2;
} else await run(args);
