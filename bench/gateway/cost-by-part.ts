import { openInspector } from '../measure/inspector.ts';
import type { Load, LoadGenerator } from '../measure/load.ts';
import { descendantsNamed, ownCpuMicroseconds } from '../measure/process-usage.ts';
import { type Part, profileShares } from '../measure/profile-shares.ts';
import type { Target } from './targets.ts';

/** CPU time of one request by part. */
export interface CostByPart {
	/** Microseconds by process; `database` is the sum of its processes. */
	readonly gateway: number;
	readonly service: number;
	readonly database: number;
	/** Microseconds by part of the program, the largest first. */
	readonly gatewayParts: Readonly<Record<string, number>>;
	readonly serviceParts: Readonly<Record<string, number>>;
}

/** A process that was started with `--inspect`. */
export interface InspectedTarget extends Target {
	readonly inspectorPort: number;
}

const logging: Part = { name: 'log', code: /access-lines|batched-lines|winston|logform|libs\/telemetry/ };
const server: Part = { name: 'HTTP server (Node.js)', code: /^node:_http/ };

const gatewayParts: readonly Part[] = [
	logging,
	{ name: 'client of the services (undici)', code: /node_modules\/undici/ },
	server,
	{
		name: 'proxying: choice, breaker, headers, relaying',
		code: /gateway\/src\/(?:proxy|resilience|forwarder|upstream)/,
	},
	{ name: 'token', code: /gateway\/src\/authentication|libs\/identity|jsonwebtoken|lru-cache/ },
	{ name: 'limits', code: /rate-limit|load-shedding/ },
	{ name: 'the other steps', code: /gateway\/src|libs\/|node_modules\// },
];

const serviceParts: readonly Part[] = [
	logging,
	{ name: 'driver (pg)', code: /node_modules\/pg|libs\/database/ },
	{ name: 'queries (Kysely)', code: /node_modules\/kysely/ },
	server,
	{ name: 'Express and our routes: token, validation, envelope', code: /node_modules\/|libs\// },
	{ name: 'the context itself', code: /services\// },
];

/** Measures CPU time without the profiler, which adds its own; the profiler supplies only the shares of the parts. */
export async function costByPart(options: {
	gateway: InspectedTarget;
	service: InspectedTarget;
	load: Load;
	seconds: number;
	generate: LoadGenerator;
}): Promise<CostByPart> {
	const { gateway, service, load, seconds, generate } = options;
	// PostgreSQL has one process per pooled connection, so the list doesn't change during the measurement.
	const groups = [[gateway.pid], [service.pid], descendantsNamed(process.pid, 'postgres')];
	const spent = () => groups.map((pids) => pids.map(ownCpuMicroseconds).reduce((sum, each) => sum + each, 0));
	const before = spent();
	const { requests } = await generate(gateway.origin, load, seconds);
	const each = spent().map((after, at) => (after - (before[at] ?? 0)) / requests);
	const [ofGateway = 0, ofService = 0, ofDatabase = 0] = each;
	const run = () => generate(gateway.origin, load, seconds);
	return {
		gateway: ofGateway,
		service: ofService,
		database: ofDatabase,
		gatewayParts: await microsecondsOf(gateway, gatewayParts, ofGateway, run),
		serviceParts: await microsecondsOf(service, serviceParts, ofService, run),
	};
}

async function microsecondsOf(
	{ inspectorPort }: InspectedTarget,
	parts: readonly Part[],
	microseconds: number,
	work: () => Promise<unknown>,
): Promise<Record<string, number>> {
	const inspector = await openInspector(inspectorPort);
	try {
		const shares = await profileShares(inspector, parts, work);
		return Object.fromEntries([...shares].map(([part, share]) => [part, share * microseconds]));
	} finally {
		inspector.close();
	}
}
