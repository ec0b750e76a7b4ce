import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@paddock/database/embedded';
import { silentLogger } from '@paddock/telemetry';
import { freePort } from '../../libs/testing/src/free-port.ts';
import { startChild } from '../measure/child.ts';
import type { LoadGenerator } from '../measure/load.ts';
import type { Case } from './cases.ts';
import { type CostByPart, costByPart, type InspectedTarget } from './cost-by-part.ts';
import { type CaseResult, type Effort, runCase } from './run-case.ts';
import { type Bench, startFastify, startGateway } from './targets.ts';

export interface WholeSystem {
	readonly result: CaseResult;
	/** CPU time of one request through the gateway. */
	readonly cost: CostByPart;
}

const getCountry: Case = {
	name: 'whole-system',
	title: 'GET a country: real service, real database',
	targets: ['gateway', 'fastify', 'direct'],
	tokens: 1,
	load: {
		method: 'GET',
		path: '/api/masterdata/countries/by-code/AT',
		headers: { Accept: 'application/json' },
		body: undefined,
		connections: 64,
		pauseMs: 0,
		status: 200,
	},
	isGuaranteed: true,
};

/** Measures GET of a country: gateway and peer in front of the real service with a real database. */
export async function measureWholeSystem(
	bench: Bench,
	effort: Effort,
	generate: LoadGenerator,
): Promise<WholeSystem> {
	const stops: (() => Promise<void>)[] = [];
	try {
		const service = await startService(bench, stops);
		const settings = {
			SERVICE_INSTANCES: `auth-service=${bench.upstream.origin},masterdata-service=${service.origin}`,
		};
		const inspectorPort = await freePort();
		const gateway = await startGateway(bench, {
			settings: { ...settings, CONTEXTS: 'auth,masterdata' },
			flags: [inspect(inspectorPort)],
		});
		stops.push(gateway.stop);
		const fastify = await startFastify(bench, service.origin);
		stops.push(fastify.stop);
		const direct = { ...service, name: 'direct' };
		const available = [gateway, fastify, direct];
		const result = await runCase(getCountry, { bench, available, effort, generate });
		const load = { ...getCountry.load, tokens: bench.tokens(1) };
		const inspected = { gateway: { ...gateway, inspectorPort }, service };
		return { result, cost: await costByPart({ ...inspected, load, seconds: effort.seconds, generate }) };
	} finally {
		for (const stop of stops.reverse()) await stop();
	}
}

async function startService(bench: Bench, stops: (() => Promise<void>)[]): Promise<InspectedTarget> {
	const database = await startEmbeddedPostgres({
		dataDir: await mkdtemp(join(await realpath(tmpdir()), 'paddock-bench-')),
		port: await freePort(),
		logger: silentLogger(),
		temporary: true,
	});
	stops.push(() => database.stop());
	const port = await freePort();
	const inspectorPort = await freePort();
	const child = await startChild({
		command: [process.execPath, inspect(inspectorPort), 'services/masterdata/src/main.ts'],
		env: {
			PORT: String(port),
			HOST: '127.0.0.1',
			DISCOVERY: 'static',
			SERVICE_INSTANCES: `auth-service=${bench.upstream.origin}`,
			SERVICE_SECRET: randomBytes(32).toString('hex'),
			DATABASE_URL: await database.ensureDatabase('masterdata', 'masterdata'),
			DRAIN_MS: '0',
		},
		port,
		readyPath: '/health',
	});
	stops.push(child.stop);
	return { name: 'service', origin: `http://127.0.0.1:${port}`, inspectorPort, ...child };
}

// Without a connected client the inspector has no cost.
function inspect(port: number): string {
	return `--inspect=127.0.0.1:${port}`;
}
