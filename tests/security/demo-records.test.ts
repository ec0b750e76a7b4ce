import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createDatabase } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import { parse } from 'yaml';
import { openapiDocument } from '../../scripts/docs/openapi-text.ts';
import { type OpenapiDocument, resolved, type Schema } from '../../scripts/openapi-document.ts';
import { recordPaths } from './demo-records.ts';
import { api, system, tokens } from './demo-system.ts';

const released = parse(readFileSync('docs/openapi-released.yaml', 'utf8')) as OpenapiDocument;
const current = openapiDocument();

type Fields = Readonly<Record<string, unknown>>;

const admin = () => tokens.get('admin') ?? '';
const isContexts = (path: string) => path.startsWith('/api/') || path.startsWith('/auth/');
const updated = Object.entries(released.paths).flatMap(([path, item]) => {
	const schema = item['put']?.requestBody?.content?.['application/json']?.schema;
	return schema === undefined ? [] : [[path, fieldsOf(schema)] as const];
});

/** The fields of a released body, and those of the objects that it contains. */
function fieldsOf(schema: Schema): Readonly<Record<string, readonly string[]>> {
	const propertiesOf = (part: Schema): Readonly<Record<string, Schema>> => {
		const whole = resolved(released, part);
		return Object.assign({}, whole.properties, ...(whole.allOf ?? []).map(propertiesOf));
	};
	const inner = Object.entries(propertiesOf(schema)).map(([name, part]) => [
		name,
		Object.keys(propertiesOf(part)),
	]);
	return Object.fromEntries(inner);
}

/** A record without what changes with each change. */
function lasting({ version: _v, updatedAt: _u, entriesNeedingAttention: _e, ...record }: Fields): Fields {
	return record;
}

/** Each body that a client sends which does not know one field, or one field of an object. */
function bodiesOf(record: Fields, fields: Readonly<Record<string, readonly string[]>>): [string, Fields][] {
	const known = Object.entries(record).filter(([name]) => name in fields);
	const whole = Object.fromEntries(known);
	return known.flatMap(([name, value]): [string, Fields][] => {
		const { [name]: _unknown, ...rest } = whole;
		const inner = Object(value) as Fields;
		const parts = (fields[name] ?? []).filter((part) => part in inner && !Array.isArray(value));
		return [
			[name, rest],
			...parts.map((part): [string, Fields] => {
				const { [part]: _part, ...others } = inner;
				return [`${name}.${part}`, { ...whole, [name]: others }];
			}),
		];
	});
}

// A PUT set omitted fields to their defaults, so each client that was built before a field erased it.
test.each(updated)(
	'a client of the last release that does not know a field erases nothing: PUT %s',
	async (path, fields) => {
		const source = path.replace(/\/(?:roles|status)$/, '');
		const [address] = (await recordPaths({ paths: { [source]: current.paths[source] ?? {} } })) as [string];
		const before = await api<Fields>('GET', address, { token: admin() });
		const bodies = bodiesOf(before.data, fields);
		expect(bodies.length).toBeGreaterThan(0);
		const target = address + path.slice(source.length);
		const erased: string[] = [];
		for (const [name, body] of bodies) {
			const { status, text } = await api('PUT', target, { token: admin(), body });
			const after = await api<Fields>('GET', address, { token: admin() });
			if (JSON.stringify(lasting(after.data)) !== JSON.stringify(lasting(before.data)))
				erased.push(`${name} changed ${JSON.stringify(after.data)}`);
			if (status !== 200) erased.push(`${name}: ${text}`);
		}
		expect(erased).toEqual([]);
	},
	120_000,
);

/** The fields that are null for one caller and have a value for the office. Records of lists are matched by id. */
function nulledFields(full: unknown, shown: unknown, path = ''): string[] {
	if (shown === null && full !== null && full !== undefined) return [path];
	if (Array.isArray(shown)) {
		const whole: readonly unknown[] = Array.isArray(full) ? full : [];
		const idOf = (record: unknown) => Reflect.get(Object(record), 'id') as unknown;
		return shown.flatMap((record) => {
			const same = whole.find((other) => idOf(other) !== undefined && idOf(other) === idOf(record));
			return same === undefined ? [] : nulledFields(same, record, `${path}[]`);
		});
	}
	if (typeof shown !== 'object' || shown === null) return [];
	return Object.entries(shown).flatMap(([name, value]) =>
		nulledFields(Reflect.get(Object(full), name), value, `${path}.${name}`),
	);
}

test('a field that a caller may not see is absent, not null', async () => {
	const guest = { email: 'guest@example.org', password: 'quiet paddock at dusk' };
	const registered = await api('POST', '/auth/register', { body: { ...guest, lastName: 'Gast' } });
	expect(registered.status).toBe(201);
	const callers = new Map<string, object>([
		['anonymous', {}],
		['guest', { token: await system.signIn(guest.email, guest.password) }],
		...(['member', 'official', 'organiser'] as const).map((name): [string, object] => [
			name,
			{ token: tokens.get(name) ?? '' },
		]),
	]);
	const found: string[] = [];
	let compared = 0;
	for (const path of (await recordPaths(current)).filter(isContexts)) {
		// Statistics and the caller's own account are other data, not less of the same.
		if (/\/(stats|profile)$/.test(path)) continue;
		const full = await api('GET', path, { token: admin() });
		for (const [name, options] of callers) {
			const { status, data } = await api('GET', path, options);
			if (status !== 200) continue;
			compared++;
			// The position of a page depends on the number of records that the caller may list.
			const { pagination: _, ...shown } = Object(data) as Fields;
			found.push(...nulledFields(full.data, shown).map((field) => `${name}: ${path} ${field}`));
		}
	}
	expect(found).toEqual([]);
	expect(compared).toBeGreaterThan(100);
}, 120_000);

// `toHorse` removed the columns that it knew to be internal, so each new column was shown.
test('a new column of any table is in no response', async () => {
	const paths = (await recordPaths(current)).filter(isContexts);
	for (const url of system.databaseUrls.values()) {
		const db = createDatabase({ url, poolMax: 1, applicationName: 'tests', logger: silentLogger() });
		const tables = await sql<{ name: string }>`
			select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(
			db,
		);
		expect(tables.rows.length).toBeGreaterThan(0);
		for (const { name } of tables.rows)
			await sql`alter table ${sql.id(name)} add column internal_remark text default 'not for callers'`.execute(
				db,
			);
		await db.destroy();
	}
	const shown: string[] = [];
	const note = (call: string, { status, text }: { readonly status: number; readonly text: string }) => {
		// The demo has no requests for export or erasure.
		const isMissing = status === 404 && /\/(privacy\/\S+|erasure)$/.test(call);
		if ((status >= 300 && !isMissing) || /internal_?remark|not for callers/i.test(text))
			shown.push(`${call}: ${text.slice(0, 300)}`);
	};
	for (const path of paths) note(`GET ${path}`, await api('GET', path, { token: admin() }));
	const records = Object.entries(current.paths).filter(
		([, item]) => item['patch'] !== undefined && item['get'] !== undefined,
	);
	for (const path of await recordPaths({ paths: Object.fromEntries(records) }))
		note(`PATCH ${path}`, await api('PATCH', path, { token: admin(), body: {} }));
	expect(shown).toEqual([]);
	expect(paths.length).toBeGreaterThan(40);
}, 120_000);
