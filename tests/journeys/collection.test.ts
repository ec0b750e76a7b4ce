import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '@paddock/database';
import { patient } from '@paddock/testing';
import { parse } from 'yaml';
import { collectionText, environmentText } from '../../scripts/docs/collection/collection-text.ts';
import { bearer } from '../../scripts/docs/collection/postman-item.ts';
import { openapiDocument } from '../../scripts/docs/openapi-text.ts';
import { type System, startSystem, systemAdmin, systemServices } from '../system.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(`${root}${name}`, 'utf8');

interface Item {
	name: string;
	item?: Item[];
	request?: {
		method: string;
		url: { path: string[] };
		header: { key: string; value: string; disabled?: boolean }[];
		auth?: object;
	};
	response?: { body: string }[];
	event?: { listen: string; script: { exec: string[] } }[];
}

interface Collection {
	auth: object;
	item: Item[];
}

const collection = JSON.parse(read('postman/collection.json')) as Collection;
const requests = collection.item.flatMap((folder) => folder.item ?? []);
/** Sent by hand only: the response of the heap dump has the size of the process. */
const skipped = requests.filter(({ event }) => JSON.stringify(event ?? []).includes('skipRequest'));

describe('the Postman collection', () => {
	test('matches the routes', () => {
		expect(read('postman/collection.json')).toBe(collectionText(openapiDocument()));
		expect(read('postman/environment.json')).toBe(environmentText());
	});

	test('inherits the token, except in public requests and those of other accounts', () => {
		expect(collection.auth).toEqual(bearer('adminToken'));
		const others = requests.flatMap(({ request }) => (request?.auth === undefined ? [] : [request.auth]));
		expect(others.length).toBeLessThan(requests.length / 2);
		expect(JSON.stringify(others)).not.toContain('adminToken');
	});

	test('has one example response per operation that returns JSON, and less than 1.2 MB', () => {
		const shown = requests.flatMap(({ request, response = [] }) => (response.length > 0 ? [request] : []));
		expect(new Set(shown.map((request) => `${request?.method} ${request?.url.path.join('/')}`)).size).toBe(
			shown.length,
		);
		expect(shown.length).toBeGreaterThan(100);
		for (const { response = [] } of requests) for (const { body } of response) JSON.parse(body);
		expect(read('postman/collection.json').length).toBeLessThan(1_200_000);
	});

	test('has every operation of openapi.yaml, except the PUT of a record, which does the same as its PATCH', () => {
		const { paths } = parse(read('openapi.yaml')) as { paths: Record<string, Record<string, object>> };
		const declared = Object.entries(paths).flatMap(([path, item]) =>
			Object.keys(item)
				.filter((method) => method !== 'put' || item['patch'] === undefined)
				.map((method) => `${method.toUpperCase()} ${path}`),
		);
		const missing = declared.filter((operation) => !requests.some((item) => isOf(operation, item)));
		expect(declared.length).toBeGreaterThan(40);
		expect(missing).toEqual([]);
	});

	test('skips the heap dump only', () => {
		expect(skipped.map(({ request }) => request?.url.path.at(-1))).toEqual(['heapdump', 'heapdump']);
		expect(collection.item[0]?.item).toContain(skipped[0]);
	});

	test('asserts the status of every response, and the envelope of every JSON one', () => {
		for (const { name, event } of requests) {
			const lines = event?.find(({ listen }) => listen === 'test')?.script.exec ?? [];
			expect([name, lines.some((line) => line.includes('pm.response.to.have.status'))]).toEqual([name, true]);
		}
		const enveloped = requests.filter(({ event }) => JSON.stringify(event).includes('is an envelope'));
		expect(enveloped.length).toBeGreaterThan(0.8 * requests.length);
	});

	// People copy requests of the collection; a PUT without If-Match overwrites changes of others.
	test('every PATCH sends the version that it changes', () => {
		const replacing = requests.filter(({ request }) => request?.method === 'PATCH');
		expect(replacing.length).toBeGreaterThan(10);
		for (const { name, request } of replacing) {
			const header = request?.header.find(({ key }) => key === 'If-Match');
			expect([name, header?.disabled ?? false, header?.value]).toEqual([
				name,
				false,
				expect.stringMatching(/^"\{\{\w+Version\}\}"$/),
			]);
		}
	});
});

describe('newman on a real system', () => {
	let system: System;
	beforeAll(async () => {
		system = await startSystem({
			contexts: systemServices,
			services: { DEMO: 'on' },
		});
	}, 60_000);
	afterAll(async () => {
		await system?.stop();
	});

	test('runs completely without a failure, and a second time on the data of the first run', async () => {
		for (const run of ['first', 'second']) {
			const { stats, failures, changes } = await newman(system.gateway.url, collection);
			expect(failures).toEqual([]);
			// With the sign-in of the collection's script.
			const total = requests.length - skipped.length + 1;
			expect(stats.requests).toEqual({ total, pending: 0, failed: 0 });
			expect(stats.assertions.total).toBeGreaterThan(1.5 * requests.length);
			if (run === 'first') await expectHistory(changes, system);
		}
	}, 240_000);

	// It was skipped by hand too, unless a variable was set that nothing mentioned.
	test('sends the heap dump that someone sends by hand', async () => {
		const { failures } = await newman(system.gateway.url, { ...collection, item: skipped.slice(0, 1) });
		expect(failures).toEqual([]);
		expect(system.gateway.output()).toContain('heap snapshot requested');
	}, 60_000);

	test('ends after one refused sign-in, before the account is locked', async () => {
		const { stats } = await newman(system.gateway.url, collection, 'not the password');
		expect(stats.requests.total).toBe(2);
	}, 60_000);

	test('runs the folder to try by hand in any order', async () => {
		const [byHand] = collection.item;
		expect(byHand?.name).toBe('Try by hand');
		const items = byHand?.item?.filter((item) => !skipped.includes(item)) ?? [];
		for (const order of [items.toReversed(), shuffled(items)]) {
			const { failures } = await newman(system.gateway.url, { ...collection, item: order });
			expect({ order: order.map(({ name }) => name), failures }).toMatchObject({ failures: [] });
		}
	}, 60_000);
});

function shuffled<Element>(elements: readonly Element[]): Element[] {
	return elements
		.map((element) => ({ element, rank: Math.random() }))
		.sort((a, b) => a.rank - b.rank)
		.map(({ element }) => element);
}

/** Whether an item calls `METHOD /path/{parameter}`. */
function isOf(operation: string, { request }: Item): boolean {
	const [method = '', path = ''] = operation.split(' ');
	const parts = path.slice(1).split('/');
	return (
		request?.method === method &&
		request.url.path.length === parts.length &&
		parts.every((part, index) => part.startsWith('{') || part === request.url.path[index])
	);
}

/** Requests that change no record, or whose effect is a record of its own. */
const withoutHistory: readonly RegExp[] = [
	// Sessions, the operation of the system, and a new account, whose holder is not signed in yet.
	/ auth\/(register|login|refresh|logout|service-token)/,
	/ auth\/users\/[^/]+\/release$/,
	/ auth\/sessions\/[^/]+$/,
	// Only a mail follows; the change comes with its link.
	/ auth\/(resend-verification|forgot-password|change-email)$/,
	/ auth\/step-up/,
	/ auth\/second-factors\/passkeys\/options$/,
	// Of recovery codes only digests are stored. The account of the collection has no factor any more.
	/ auth\/second-factors\/recovery-codes$/,
	/ auth\/users\/[^/]+\/reset-second-factors$/,
	/ actuator\//,
	// The collection sends the value that the arena has.
	/PATCH .*\/arenas\/[^/]+$/,
	// Verdicts without an effect.
	/\/check$/,
];

/** Each writing request that succeeded is found in the history of a context, with its account. */
async function expectHistory(changes: readonly Executed[], { databaseUrls }: System): Promise<void> {
	const recorded = new Map<string, string | null>();
	for (const url of databaseUrls.values()) {
		await withClient(url, async (client) => {
			const { rows } = await client.query(
				"select distinct author ->> 'requestId' as request, author ->> 'userId' as account from changes where author is not null",
			);
			for (const { request, account } of rows) recorded.set(request, account);
		});
	}
	const expected = changes.filter(
		({ operation }) => !withoutHistory.some((pattern) => pattern.test(operation)),
	);
	expect(expected.length).toBeGreaterThan(60);
	const missing = expected.filter(({ requestId }) => !recorded.get(requestId));
	expect(missing.map(({ operation, name }) => `${operation} (${name})`)).toEqual([]);
}

/** A writing request that succeeded. */
interface Executed {
	readonly operation: string;
	readonly name: string;
	readonly requestId: string;
}

/** As the classes of postman-collection have it. */
interface Execution {
	item: { name: string };
	request: { method: string; url: { path: string[] } };
	response?: { code: number; headers: { get(name: string): string | undefined } };
}

function changesIn(executions: readonly Execution[]): Executed[] {
	return executions.flatMap(({ item, request, response }) => {
		if (['GET', 'HEAD'].includes(request.method) || response === undefined || response.code >= 300) return [];
		const requestId = response.headers.get('X-Request-Id') ?? '';
		return [{ operation: `${request.method} ${request.url.path.join('/')}`, name: item.name, requestId }];
	});
}

interface Result {
	readonly stats: Record<'requests' | 'assertions', { total: number; pending: number; failed: number }>;
	readonly failures: unknown[];
	readonly changes: readonly Executed[];
}

type RunCollection = (
	options: object,
	done: (
		error: Error | null,
		summary: {
			run: Pick<Result, 'stats'> & {
				executions: readonly Execution[];
				failures: readonly { source?: { name: string }; error: { message: string } }[];
			};
		},
	) => void,
) => void;

// The program of the command line does the same, but to load it takes a second of processor time in each process.
const { run: runCollection }: { run: RunCollection } = createRequire(import.meta.url)('newman');

async function newman(
	baseUrl: string,
	collection: Pick<Collection, 'item'>,
	adminPassword: string = systemAdmin.password,
): Promise<Result> {
	const variables = { baseUrl, adminEmail: systemAdmin.email, adminPassword };
	const envVar = Object.entries(variables).map(([key, value]) => ({ key, value }));
	const { run } = await promisify(runCollection)({
		collection,
		envVar,
		timeoutRequest: Math.ceil(patient(10_000)),
		// A heap dump takes seconds.
		timeoutScript: Math.ceil(patient(30_000)),
	});
	return {
		stats: run.stats,
		failures: run.failures.map(({ source, error }) => [source?.name, error.message]),
		changes: changesIn(run.executions),
	};
}
