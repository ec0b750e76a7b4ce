import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createTokenSigner, generateSigningKey, type Role } from '@paddock/identity';
import { contractCases, type RequestCase } from './registries/contract-cases.ts';
import { missOf } from './registries/goal.ts';
import { type EntryRate, measureEntries } from './registries/measure-entries.ts';
import { measureRequests, type RequestFigures } from './registries/measure-requests.ts';
import { measureWrites } from './registries/measure-writes.ts';
import {
	type BenchServer,
	type Context,
	contexts,
	openBenchServer,
	startRegistries,
} from './registries/open-registries.ts';
import { inventedId } from './registries/random-choice.ts';
import { type RegistrySize, registrySize } from './registries/registry-size.ts';
import { intoCapacityPage, keyOf, summaryOf, tableOf } from './registries/report.ts';
import { seedEvents } from './registries/seed-events.ts';
import { seedHorses } from './registries/seed-horses.ts';
import { seedMembers } from './registries/seed-members.ts';
import { seedUsers, seedVenues, storeSession, storeSigningKey } from './registries/seed-others.ts';

const results = new URL('results/', import.meta.url);
const seeders: Readonly<Record<Context, (url: string, size: RegistrySize) => Promise<void>>> = {
	auth: seedUsers,
	masterdata: seedVenues,
	members: seedMembers,
	horses: seedHorses,
	events: seedEvents,
};

export interface SizeFigures {
	readonly members: number;
	readonly figures: readonly RequestFigures[];
	/** Undefined if writes were not measured. */
	readonly entryRate: EntryRate | undefined;
}

type TokenSubject = NonNullable<ReturnType<typeof callers>[keyof ReturnType<typeof callers>]>;

const requestsOfMiss = 20;
/** How often a case that misses the goal is measured again. */
const repeatsMax = 3;
const requestsOfWrite = 10;

interface Options {
	/** Of each case that meets the goal. */
	readonly requests: number;
	/** Only routes with this text. */
	readonly only: string;
	readonly roles: readonly string[];
	readonly pairs: boolean;
	/** The writes change the databases, so that a further run measures slightly larger ones. */
	readonly writes: boolean;
}

/**
 * Fills the databases of all services and measures every GET operation of the contract, one request at a time, as every
 * role. `--sizes=10000,100000,1000000` (members); `--requests=3` of each case, and 20 of those that miss the goal, which with a few
 * requests a pause of the machine can be the cause of; `--only=/api/horses` measures a part; `--roles=officer`;
 * `--no-pairs`; `--no-writes`; `--write-docs` writes the table into docs/capacity.md.
 */
export async function runRegistriesBenchmark(args: readonly string[]): Promise<void> {
	const { values } = parseArgs({
		args: [...args],
		allowNegative: true,
		options: {
			sizes: { type: 'string', default: '10000,100000' },
			requests: { type: 'string', default: '3' },
			only: { type: 'string', default: '' },
			roles: { type: 'string', default: 'office,official,member,anonymous' },
			pairs: { type: 'boolean', default: true },
			writes: { type: 'boolean', default: true },
			'write-docs': { type: 'boolean', default: false },
		},
	});
	const options = {
		requests: Number(values.requests),
		only: values.only,
		roles: values.roles.split(','),
		pairs: values.pairs,
		writes: values.writes,
	};
	const server = await openBenchServer(process.env['TEST_POSTGRES_URL']);
	const parts: SizeFigures[] = [];
	try {
		for (const members of values.sizes.split(',').map(Number))
			parts.push({ members, ...(await measureSize(server, members, options, parts[0]?.figures)) });
	} finally {
		await server.stop();
	}
	const machine = { processor: cpus()[0]?.model ?? 'unknown', node: process.version };
	const file = new URL('registries.json', results);
	await mkdir(results, { recursive: true });
	await writeFile(
		file,
		`${JSON.stringify({ at: new Date().toISOString(), machine, parts }, undefined, '\t')}\n`,
	);
	process.stdout.write(`${tableOf(parts)}\n${fileURLToPath(file)}\n`);
	if (!values['write-docs']) return;
	const page = new URL('../docs/capacity.md', import.meta.url);
	await writeFile(page, intoCapacityPage(await readFile(page, 'utf8'), summaryOf(parts, machine)));
}

async function measureSize(
	server: BenchServer,
	members: number,
	options: Options,
	smallest: readonly RequestFigures[] = [],
): Promise<Omit<SizeFigures, 'members'>> {
	const size = registrySize(members);
	const urls = {} as Record<Context, string>;
	for (const context of contexts) {
		const { url, existed } = await server.makeDatabase(`${context}_${members}`);
		urls[context] = url;
		if (existed) continue;
		const startedMs = performance.now();
		await seeders[context](url, size);
		note(
			`filled ${context} for ${members} members in ${Math.round((performance.now() - startedMs) / 1_000)} s`,
		);
	}
	const key = await generateSigningKey();
	await storeSigningKey(urls.auth, key);
	for (const caller of Object.values(callers()))
		if (caller !== undefined) await storeSession(urls.auth, caller);
	const registries = await startRegistries(urls);
	try {
		const signer = createTokenSigner({ issuer: 'paddock', audience: 'paddock', now: () => new Date() });
		const cases = (await contractCases(size)).filter(({ route }) => route.includes(options.only));
		const figures: RequestFigures[] = [];
		const known = new Map(smallest.map((each) => [keyOf(each), each]));
		const measure = async (role: string, claims: TokenSubject | undefined, each: RequestCase) => {
			const context = contexts.find((name) => new RegExp(`^/(api/)?${name}(/|$)`).test(each.route));
			if (context === undefined) return;
			const token = claims === undefined ? undefined : signer.sign(claims, key).token;
			const request = (count: number) =>
				measureRequests(registries.origins[context], { role, token }, each, count);
			let measured = await request(options.requests);
			// Pauses of a shared machine are not those of a list.
			for (let repeats = 0; repeats < repeatsMax; repeats += 1) {
				const miss = missOf(measured, known.get(keyOf(measured)));
				if (miss === undefined) break;
				const again = await request(requestsOfMiss);
				note(
					`${members} ${keyOf(again)}: ${miss}, p95 ${Math.round(measured.p95Ms)} ms, again ${Math.round(again.p95Ms)} ms, ${again.status}`,
				);
				measured = again;
			}
			figures.push(measured);
		};
		for (const [role, claims] of Object.entries(callers())) {
			if (!options.roles.includes(role)) continue;
			for (const each of cases)
				if (!each.isPair || (role === 'office' && options.pairs)) await measure(role, claims, each);
		}
		if (!options.writes) return { figures, entryRate: undefined };
		const setup = { origins: registries.origins, urls, size, tokenOf: tokensOf(signer, key) };
		figures.push(...(await measureWrites(setup, requestsOfWrite)));
		const entryRate = await measureEntries(setup);
		note(`${members} ${JSON.stringify(entryRate)}`);
		return { figures, entryRate };
	} finally {
		await registries.stop();
	}
}

/** One caller for each kind of right; the office has those of administrators. */
function callers() {
	const caller = (index: number, roles: readonly Role[]) => ({
		userId: inventedId('user', index),
		memberId: inventedId('member', index * 2),
		roles,
		sessionId: inventedId('user', index),
	});
	const clubs = { clubIds: [inventedId('club', 0)] };
	return {
		office: caller(0, ['MEMBER', 'FEDERATION_OFFICER', 'ADMIN']),
		official: {
			...caller(1, ['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER']),
			roleScopes: { CLUB_OFFICIAL: clubs, ORGANISER: clubs },
		},
		member: caller(2, ['MEMBER']),
		anonymous: undefined,
	};
}

function tokensOf(signer: ReturnType<typeof createTokenSigner>, key: Parameters<typeof signer.sign>[1]) {
	const { office, member } = callers();
	return (memberId?: string) =>
		signer.sign(memberId === undefined ? office : { ...member, memberId, userId: memberId }, key).token;
}

function note(text: string): void {
	process.stderr.write(`${text}\n`);
}
