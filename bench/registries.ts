import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureRequests, type RequestCase, type RequestFigures } from './registries/measure-requests.ts';
import {
	type BenchServer,
	openBenchServer,
	openTokenIssuer,
	startService,
	type TokenIssuer,
} from './registries/open-registries.ts';
import { horseCases, memberCases } from './registries/request-cases.ts';
import { seedHorses } from './registries/seed-horses.ts';
import { seedMembers } from './registries/seed-members.ts';

const full = { members: 100_000, horses: 50_000, requests: 200 };
const quick = { members: 10_000, horses: 5_000, requests: 50 };

const results = new URL('results/', import.meta.url);

interface Part {
	readonly registry: string;
	readonly records: number;
	readonly figures: readonly RequestFigures[];
}

/**
 * Measures reads of the real members and horses services with many records, one request at a time. `--quick` seeds a
 * tenth of the records, `--only=members` skips the horses.
 */
export async function runRegistriesBenchmark(args: readonly string[]): Promise<void> {
	const { values } = parseArgs({
		args: [...args],
		options: {
			quick: { type: 'boolean', default: false },
			only: { type: 'string', default: 'members,horses' },
		},
	});
	const { TEST_POSTGRES_URL: ownUrl } = process.env;
	const server = await openBenchServer(ownUrl);
	const issuer = await openTokenIssuer();
	try {
		const parts = await measureRegistries(
			server,
			issuer,
			values.quick ? quick : full,
			values.only.split(','),
		);
		const machine = { processor: cpus()[0]?.model ?? 'unknown', node: process.version };
		const report = { at: new Date().toISOString(), machine, parts };
		await mkdir(results, { recursive: true });
		await writeFile(new URL('registries.json', results), `${JSON.stringify(report, undefined, '\t')}\n`);
		process.stdout.write(
			`${parts.map(tableOf).join('\n')}\n${fileURLToPath(new URL('registries.json', results))}\n`,
		);
	} finally {
		await issuer.stop();
		await server.stop();
	}
}

async function measureRegistries(
	server: BenchServer,
	issuer: TokenIssuer,
	size: typeof full,
	wanted: readonly string[],
): Promise<Part[]> {
	const membersUrl = await server.makeDatabase('members');
	process.stderr.write(`seeding ${size.members} members …\n`);
	const members = await seedMembers(membersUrl, size.members);
	const parts: Part[] = [];
	if (wanted.includes('members')) {
		const measure = measureAt('members', membersUrl, issuer, memberCases(members), size.requests);
		parts.push({ registry: 'members', records: size.members, figures: await measure });
	}
	if (wanted.includes('horses')) {
		const horsesUrl = await server.makeDatabase('horses');
		process.stderr.write(`seeding ${size.horses} horses …\n`);
		const horses = await seedHorses(horsesUrl, size.horses, members.ids);
		const measure = measureAt('horses', horsesUrl, issuer, horseCases(horses), size.requests);
		parts.push({ registry: 'horses', records: size.horses, figures: await measure });
	}
	return parts;
}

async function measureAt(
	context: 'members' | 'horses',
	databaseUrl: string,
	issuer: TokenIssuer,
	cases: readonly RequestCase[],
	requests: number,
): Promise<RequestFigures[]> {
	const service = await startService(context, databaseUrl, issuer);
	try {
		const figures: RequestFigures[] = [];
		for (const each of cases) {
			process.stderr.write(`${context}: ${each.title} …\n`);
			figures.push(await measureRequests(service.origin, issuer.sign(), each, requests));
		}
		return figures;
	} finally {
		await service.stop();
	}
}

function tableOf({ registry, records, figures }: Part): string {
	const rows = figures.map(({ title, p50Ms, p95Ms, maxMs, totalElements }) =>
		[`| ${title}`, p50Ms.toFixed(1), p95Ms.toFixed(1), maxMs.toFixed(1), `${totalElements ?? ''} |`].join(
			' | ',
		),
	);
	return [
		`${records.toLocaleString('en')} ${registry}, ${figures[0]?.requests ?? 0} requests each, milliseconds`,
		'',
		'| | p50 | p95 | max | found |',
		'|---|---|---|---|---|',
		...rows,
		'',
	].join('\n');
}
