import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countedMax, rankedMax } from '@paddock/contract';
import { createDatabase, type Database, withClient } from '@paddock/database';
import type { Route } from '@paddock/service';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, fillTestDatabase, type TestDatabase } from '@paddock/testing';
import { type KyselyPlugin, PostgresQueryCompiler, type RootOperationNode, sql } from 'kysely';
import { contractCases, type RequestCase } from '../../bench/registries/contract-cases.ts';
import { inventedId } from '../../bench/registries/random-choice.ts';
import { registrySize } from '../../bench/registries/registry-size.ts';
import { seedEvents } from '../../bench/registries/seed-events.ts';
import { seedHorses } from '../../bench/registries/seed-horses.ts';
import { seedMembers } from '../../bench/registries/seed-members.ts';
import { seedUsers, seedVenues, storeSession } from '../../bench/registries/seed-others.ts';
import { parseInput } from '../../libs/service/src/routes/input.ts';
import { refuseDemoUsers } from '../../services/auth/src/demo.ts';
import { authRoutes } from '../../services/auth/src/routes.ts';
import { hasAdministrator } from '../../services/auth/src/users/rules.ts';
import { openStatuses } from '../../services/events/src/enumerations.ts';
import { eventsRoutes } from '../../services/events/src/routes.ts';
import { horsesRoutes } from '../../services/horses/src/routes.ts';
import { masterdataRoutes } from '../../services/masterdata/src/routes.ts';
import { membersRoutes } from '../../services/members/src/routes.ts';

/** More than a list reads as candidates, so that a scan of all rows differs from one that ends early. */
const rows = 12_000;
const size = {
	...registrySize(rows),
	clubs: 8_000,
	users: rows,
	events: rows,
	transfers: rows,
};
// Clubs and master data have fewer records than a list reads as candidates.
const large: Readonly<Record<string, number>> = {
	members: size.members,
	member_search: size.members,
	horses: size.horses,
	ownership_periods: size.horses,
	ownership_shares: size.horses,
	users: size.users,
	events: size.events,
	competitions: size.events,
	entries: size.entries,
	starts: size.entries,
	ledger_lines: size.entries,
	ownership_transfers: size.transfers,
	member_links: size.users,
	changes: rows,
};
const cases = await contractCases(size);
/** Of an index that has all sort fields. */
const sortedFromIndexMax = 25_000;
/** The session of the officer is one of the filled accounts, as auth reads it. */
const officer = {
	guardianOf: [],
	contactFor: [],
	authenticationMethods: [],
	userId: inventedId('user', 0),
	memberId: randomUUID(),
	roles: ['MEMBER', 'FEDERATION_OFFICER', 'ADMIN'],
	roleScopes: {},
	scopes: [],
	sessionId: inventedId('user', 0),
};

async function seedAccounts(url: string): Promise<void> {
	await seedUsers(url, size);
	await storeSession(url, officer);
}

/** Records with a history of others, in which those of one record are found. */
async function fillWithChanges(
	url: string,
	fill: (url: string, of: typeof size) => Promise<void>,
): Promise<void> {
	await fill(url, size);
	await fillTestDatabase(
		url,
		`insert into changes (record_id, record_type, operation)
		select gen_random_uuid(), 'OTHER', 'CHANGED' from generate_series(1, ${rows})`,
		'analyze',
	);
}

/** Frequent filters. */
const countedFromIndexes: Readonly<Record<string, readonly string[]>> = {
	horses: [
		...['–', 'sex=GELDING', 'breed=Haflinger', 'isPony=true', 'breed=Haflinger · isPony=true'],
		...['federationRegistered=true', 'sex=STALLION · federationRegistered=true', 'updatedSince=yesterday'],
		'breed=Haflinger · updatedSince=yesterday',
	].map((title) => `/api/horses ${title}`),
	members: [
		...[
			'membershipType=FULL',
			'nationality=DE',
			'stateCode=AT-3',
			'nationality=DE · feePaidForYear=this year',
		],
		...['stateCode=AT-3 · nationality=DE', 'status=PENDING · membershipType=FULL'],
		...['nationality=DE · sort=createdAt', 'status=PENDING · sort=firstName'],
	].map((title) => `/api/members ${title}`),
	events: ['discipline=JUMPING', 'status=COMPLETED', 'openForEntry=false'].map(
		(title) => `/api/events ${title}`,
	),
	auth: ['/auth/users role=CLUB_OFFICIAL'],
};

/** Searches of a word that is in many records, the index that they must not read for it, and tables that they need not read. */
const frequentWords: Readonly<Record<string, readonly (readonly [title: string, ...avoided: string[]])[]>> = {
	horses: [
		['/api/horses/transfers q=9880400', 'horses'],
		['/api/horses/transfers q=xyzzy', 'horses'],
	],
	events: [['/api/events/entries q=anna'], ['/api/events/{id}/entries q=anna', 'entries_text_index']],
	members: [['/api/members q=example.org · sort=createdAt'], ['/api/members/search sort=createdAt']],
	auth: [['/auth/member-links/requests q=example.org'], ['/auth/users q=example.org · sort=createdAt']],
};

/** Lists that systems of others copy. */
const synchronisedLists: Readonly<Record<string, string>> = {
	horses: '/api/horses',
	members: '/api/members',
	events: '/api/events/entries',
	auth: '/auth/users',
};

interface PlanNode {
	readonly 'Node Type': string;
	readonly 'Relation Name'?: string;
	readonly 'Subplan Name'?: string;
	readonly 'Index Name'?: string;
	readonly 'Actual Rows': number;
	readonly 'Actual Loops': number;
	readonly 'Rows Removed by Filter'?: number;
	readonly Plans?: readonly PlanNode[];
}

describe.each([
	['members', seedMembers, membersRoutes as readonly Route<never>[]],
	['horses', seedHorses, horsesRoutes as readonly Route<never>[]],
	['events', seedEvents, eventsRoutes as readonly Route<never>[]],
	['auth', seedAccounts, authRoutes as readonly Route<never>[]],
	['masterdata', seedVenues, masterdataRoutes as readonly Route<never>[]],
] as const)('lists of %s', (context, fill, routes) => {
	let testDatabase: TestDatabase;
	let db: Database<unknown>;

	beforeAll(async () => {
		testDatabase = await createTestDatabase({
			name: `plans_${context}`,
			prepare: (url) => fillWithChanges(url, fill),
		});
		db = createDatabase({
			url: testDatabase.url,
			applicationName: 'plans',
			logger: silentLogger(),
			poolMax: 1,
		});
		// A small table is read in full for less than an index costs; a missing index is what remains.
		await sql`set enable_seqscan = off`.execute(db);
	}, 240_000);

	afterAll(async () => {
		await db?.destroy();
		await testDatabase?.drop();
	});

	test('read no large table from begin to end, with any filter and any sort', async () => {
		const lists = cases.filter((each) => !each.isPair && isList(each, context, routes));
		expect(lists.length).toBeGreaterThan(10);
		const scans: string[] = [];
		for (const each of lists) {
			const queries = await queriesOf(each, routes, db);
			expect([each.route, each.title, queries.length > 0]).toEqual([each.route, each.title, true]);
			for (const query of queries)
				scans.push(...(await wholeScans(db, query)).map((table) => `${each.route} ${each.title}: ${table}`));
		}
		expect(scans).toEqual([]);
	}, 240_000);

	if (context !== 'masterdata')
		test('in orders by two fields sort no more rows than those by one', async () => {
			const isByTwo = /^sort=\w+,-\w+$/;
			const lists = cases.filter((each) => isByTwo.test(each.title) && isList(each, context, routes));
			expect(lists.length).toBeGreaterThan(10);
			const wrong: string[] = [];
			for (const each of lists) {
				const { ofTables, ofIndexes } = sortedRows(await plansOfCase(each, routes, db));
				if (ofTables > countedMax || ofIndexes > sortedFromIndexMax)
					wrong.push(`${each.route} ${each.title}: ${ofTables} of tables, ${ofIndexes} of indexes alone`);
			}
			expect(wrong).toEqual([]);
		}, 240_000);

	const counted = countedFromIndexes[context] ?? [];
	if (counted.length > 0)
		test('with frequent filters are counted from an index alone', async () => {
			const wrong: string[] = [];
			const measured = cases.filter(({ route, title }) => counted.includes(`${route} ${title}`));
			expect(measured).toHaveLength(counted.length);
			for (const each of measured) {
				const plans = await plansOfCase(each, routes, db);
				const tablesOf = (part: string) =>
					plans
						.flatMap(allNodes)
						.filter((node) => node['Subplan Name'] === part)
						.flatMap(allNodes)
						.filter((node) => node['Relation Name'] !== undefined);
				// Where the index has the keys too, the candidates are what is counted.
				const [total, candidates] = [tablesOf('CTE total'), tablesOf('CTE candidates')];
				const tables = total.length > 0 ? total : candidates;
				if (tables.length !== 1 || tables[0]?.['Node Type'] !== 'Index Only Scan')
					wrong.push(`${each.title}: ${tables.map((node) => node['Node Type'])}`);
			}
			expect(wrong).toEqual([]);
		});

	const searched = frequentWords[context] ?? [];
	if (searched.length > 0)
		test('read no more of the hits of a frequent word than they rank', async () => {
			const wrong: string[] = [];
			for (const [title, ...avoided] of searched) {
				const each = cases.find((one) => `${one.route} ${one.title}` === title);
				if (each === undefined) throw new Error(`${title} is not measured.`);
				const plans = (
					await Promise.all((await queriesOf(each, routes, db)).map((query) => plansOf(db, query)))
				).flat();
				const nodes = plans.flatMap(allNodes);
				const candidates = nodes.filter((node) => node['Subplan Name'] === 'CTE candidates');
				const total = nodes.filter((node) => node['Subplan Name'] === 'CTE total').flatMap(allNodes);
				// Of links, their accounts are counted.
				const limits = nodes.filter((node) => node['Node Type'] === 'Limit');
				const counted = Math.max(...[...candidates, ...total, ...limits].map((node) => node['Actual Rows']));
				const read = nodes.flatMap((node) => [node['Relation Name'] ?? '', node['Index Name'] ?? '']);
				const needless = avoided.filter((name) => read.includes(name));
				const isCounted = candidates.length === 1 || counted === rankedMax + 1;
				if (!isCounted || counted > rankedMax + 1 || needless.length > 0)
					wrong.push(`${title}: ${counted} ${needless}`);
			}
			expect(wrong).toEqual([]);
		});

	// With one condition for the number and the text, each entry with the number was read from the table.
	if (context === 'events')
		test('of entries with a number are found in the index of numbers alone', async () => {
			const each = cases.find(({ route, title }) => route === '/api/events/entries' && title === 'q=17');
			if (each === undefined) throw new Error('The number is not measured.');
			const found = (await plansOfCase(each, routes, db))
				.flatMap(allNodes)
				.filter((node) => node['Subplan Name'] === 'CTE found')
				.flatMap(allNodes);
			const hits = found.find((node) => node['Index Name'] === 'entries_number_index');
			expect([hits?.['Node Type'], (hits?.['Actual Rows'] ?? 0) > 100]).toEqual(['Index Only Scan', true]);
		});

	if (context === 'events')
		test('of entries of the future, or that have changed, by time are not sorted as a whole', async () => {
			const current = await makeEntriesCurrent(testDatabase.url);
			// Fewer may be sorted as a whole.
			expect(Math.min(current.open, current.changed)).toBeGreaterThan(countedMax);
			for (const title of [
				'open=true · sort=createdAt',
				'open=true · sort=updatedAt',
				'updatedSince=yesterday · sort=createdAt',
			]) {
				const each = cases.find((one) => one.route === '/api/events/entries' && one.title === title);
				if (each === undefined) throw new Error(`${title} is not measured.`);
				const plans = await plansOfCase(each, routes, db);
				const { ofTables, ofIndexes } = sortedRows(plans);
				const sorted = Math.max(ofTables, ofIndexes);
				expect([title, sorted > 50, sorted < countedMax]).toEqual([title, true, true]);
			}
		});

	const synchronised = synchronisedLists[context];
	if (synchronised !== undefined)
		test('of all that changed since 1970, as a first synchronisation reads them, are not sorted as a whole', async () => {
			const path = () => `${synchronised}?updatedSince=1970-01-01T00:00:00Z&sort=createdAt`;
			const plans = await plansOfCase(
				{ route: synchronised, title: 'first', isPair: true, path },
				routes,
				db,
			);
			expect(plans.length).toBeGreaterThan(1);
			const { ofTables, ofIndexes } = sortedRows(plans);
			expect(Math.max(ofTables, ofIndexes)).toBeLessThan(1_000);
		});

	// At each start with NODE_ENV=production, and with each change of an administrator.
	if (context === 'auth')
		test('are not the only ones: demo accounts and administrators are found by an index', async () => {
			const { nodes, recording } = recordingQueries(db);
			await refuseDemoUsers(recording as never);
			await hasAdministrator(recording as never, officer.userId);
			expect(nodes).toHaveLength(2);
			const scans = await Promise.all(nodes.map((node) => wholeScans(db, node)));
			expect(scans.flat()).toEqual([]);
		});
});

/** Makes more entries than are counted those of events of the future; most made since yesterday, the others changed since then. */
async function makeEntriesCurrent(url: string): Promise<{ readonly open: number; readonly changed: number }> {
	const events = `select event_id from entries group by event_id order by event_id limit 100`;
	return withClient(url, async (client) => {
		for (const statement of [
			'set statement_timeout = 0',
			`set paddock.history = 'off'`,
			`create temporary table chosen as ${events}`,
			`update events set status = 'PUBLISHED', cancelled_reason = null, starts_at = now() + interval '1 day', ends_at = now() + interval '2 days'
				where id in (select event_id from chosen)`,
			`update entries set updated_at = now(), created_at = case
				when entry_number % 10 = 0 then created_at else now() - entry_number * interval '1 minute' end
				where event_id in (select event_id from chosen)`,
			'vacuum analyze events, entries',
		])
			await client.query(statement);
		const { rows: counts } = await client.query<{ open: number; changed: number }>(
			`select count(*) filter (where entries.status = any ($1))::int as open,
				count(*) filter (where entries.updated_at > now() - interval '1 day')::int as changed
			from entries join events on events.id = entries.event_id where events.ends_at > now()`,
			[openStatuses],
		);
		return counts[0] ?? { open: 0, changed: 0 };
	});
}

/** The most rows that one sort gets. */
function sortedRows(plans: readonly PlanNode[]): { readonly ofTables: number; readonly ofIndexes: number } {
	const sorts = plans.flatMap(allNodes).filter((node) => /^(Incremental )?Sort$/.test(node['Node Type']));
	const inputs = Map.groupBy(
		sorts.flatMap(({ Plans = [] }) => Plans),
		(node) =>
			allNodes(node).every(
				({ 'Relation Name': table, 'Node Type': type }) => table === undefined || type === 'Index Only Scan',
			),
	);
	const most = (nodes: readonly PlanNode[] = []) =>
		Math.max(0, ...nodes.map((node) => node['Actual Rows'] * node['Actual Loops']));
	return { ofTables: most(inputs.get(false)), ofIndexes: most(inputs.get(true)) };
}

function isList({ route, title }: RequestCase, context: string, routes: readonly Route<never>[]): boolean {
	if (!new RegExp(`^/(api/)?${context}(/|$)`).test(route) || title === 'exactTotal') return false;
	const query = routes.find(({ method, path }) => method === 'get' && path === route)?.query;
	return query !== undefined && 'size' in query.shape;
}

/** The queries of the route's handler; those after a call of another service are not reached. */
async function queriesOf(
	{ route: template, path }: RequestCase,
	routes: readonly Route<never>[],
	db: Database<unknown>,
): Promise<readonly RootOperationNode[]> {
	const { nodes, recording } = recordingQueries(db);
	const route = routes.find((each) => each.method === 'get' && each.path === template);
	if (route === undefined) throw new Error(`${template} is no route.`);
	const signal = new AbortController().signal;
	const [at = '', search = ''] = path(1).split('?');
	const { params, query } = parseInput(route, { params: paramsOf(template, at), search, body: undefined });
	const request = { params, query, principal: officer, headers: {}, now: new Date(), signal };
	try {
		await (route.handler as (request: unknown, deps: unknown) => unknown)(request, {
			db: recording,
			now: () => new Date(),
		});
	} catch (error) {
		// A record that the filled database lacks has been looked for.
		if (!(error instanceof TypeError) && errorCode(error) !== 'NOT_FOUND') throw error;
	}
	return wholeStatements(nodes.filter(({ kind }) => kind === 'SelectQueryNode' || kind === 'RawNode'));
}

/** A subquery is recorded too, alone; it is explained with its statement. */
function wholeStatements(nodes: readonly RootOperationNode[]): readonly RootOperationNode[] {
	const texts = nodes.map((node) => textOf(node).replaceAll(/\$\d+/g, '$'));
	return nodes.filter((_, at) =>
		texts.every((text) => text === texts[at] || !text.includes(texts[at] ?? '')),
	);
}

function textOf(node: RootOperationNode): string {
	return new PostgresQueryCompiler().compileQuery(node, { queryId: 'plan' }).sql.trim();
}

async function plansOfCase(
	each: RequestCase,
	routes: readonly Route<never>[],
	db: Database<unknown>,
): Promise<readonly PlanNode[]> {
	const queries = await queriesOf(each, routes, db);
	return (await Promise.all(queries.map((query) => plansOf(db, query)))).flat();
}

/** The same database, with the queries that it gets. */
function recordingQueries(db: Database<unknown>) {
	const nodes: RootOperationNode[] = [];
	const recorder: KyselyPlugin = {
		transformQuery: ({ node }) => {
			nodes.push(node);
			return node;
		},
		transformResult: async ({ result }) => result,
	};
	return { nodes, recording: db.withPlugin(recorder) };
}

function errorCode(error: unknown): unknown {
	return error instanceof Error ? Reflect.get(error, 'code') : undefined;
}

function paramsOf(template: string, path: string): Record<string, string> {
	const values = path.split('/');
	return Object.fromEntries(
		template
			.split('/')
			.flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), values[at] ?? '']] : [])),
	);
}

/** The large tables of which the query reads every row. */
async function wholeScans(db: Database<unknown>, node: RootOperationNode): Promise<string[]> {
	return (await plansOf(db, node)).flatMap(scansIn);
}

async function plansOf(db: Database<unknown>, node: RootOperationNode): Promise<readonly PlanNode[]> {
	const compiled = new PostgresQueryCompiler().compileQuery(node, { queryId: 'plan' });
	if (!/^\s*(select|with)/i.test(compiled.sql)) return [];
	const explained = { ...compiled, sql: `explain (analyze, format json) ${compiled.sql}` };
	const { rows } = await db.executeQuery<Record<string, readonly { Plan: PlanNode }[]>>(explained);
	return Object.values(rows[0] ?? {}).flatMap((plans) => plans.map(({ Plan }) => Plan));
}

function allNodes(node: PlanNode): readonly PlanNode[] {
	return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

function scansIn(node: PlanNode): string[] {
	const table = node['Relation Name'] ?? '';
	const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
	const isWhole = node['Node Type'] === 'Seq Scan' && read >= (large[table] ?? Number.POSITIVE_INFINITY);
	return [...(isWhole ? [table] : []), ...(node.Plans ?? []).flatMap(scansIn)];
}
