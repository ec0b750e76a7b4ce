import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { camelCaseName, createDatabase } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, migratedTemplate } from '@paddock/testing';
import { sql } from 'kysely';
import { type DeclaredPersonalData, personalDataOf } from '../../scripts/contexts/context-modules.ts';
import { contexts } from '../../scripts/contexts/contexts.ts';
import { privacyText } from '../../scripts/docs/privacy/privacy-text.ts';
import { migrationsOf } from '../../scripts/migrate/context-migrations.ts';

/** Schemas of libraries; docs/privacy.md says what they store. */
const foreignSchemas = ['jobs'];

/** Table → columns of a migrated database, in all of its schemas. */
async function storedColumns(context: string): Promise<Map<string, string[]>> {
	const template = migratedTemplate(context, await migrationsOf(context));
	const database = await createTestDatabase(template);
	const db = createDatabase<never>({ url: database.url, applicationName: 'test', logger: silentLogger() });
	try {
		const { rows } = await sql<{ tableName: string; columnName: string }>`
			select table_name, column_name from information_schema.columns
			where table_schema not in ('pg_catalog', 'information_schema', ${sql.join(foreignSchemas)})
				and table_name not like 'kysely_migration%'`.execute(db);
		const tables = new Map<string, string[]>();
		for (const { tableName, columnName } of rows) {
			const table = camelCaseName(tableName);
			tables.set(table, [...(tables.get(table) ?? []), camelCaseName(columnName)]);
		}
		return tables;
	} finally {
		await db.destroy();
		await database.drop();
	}
}

/** Problems of a declaration; none if each column of each table is declared once. */
function problemsOf(data: DeclaredPersonalData, stored: ReadonlyMap<string, readonly string[]>): string[] {
	const unknown = Object.keys(data).filter((table) => !stored.has(table));
	const problems = unknown.map((table) => `${table} is declared and does not exist`);
	for (const [table, columns] of stored) {
		const roles = data[table];
		if (roles === undefined) problems.push(`${table} is not declared`);
		if (roles === undefined || typeof roles === 'string') continue;
		for (const [index, role] of roles.entries()) {
			const { exported, exportedAs = {}, withheld = {}, impersonal = [], erasure } = role;
			const declared = [...exported, ...Object.keys(exportedAs), ...Object.keys(withheld), ...impersonal];
			const erased = typeof erasure === 'string' ? [] : Object.keys(erasure);
			const missing = [...declared, ...erased].filter((column) => !columns.includes(column));
			problems.push(...missing.map((column) => `${table}.${column} is declared and does not exist`));
			const twice = declared.filter((column, at) => declared.indexOf(column) !== at);
			problems.push(...twice.map((column) => `${table}.${column} is declared twice`));
			const undeclared = index === 0 ? columns.filter((column) => !declared.includes(column)) : [];
			problems.push(
				...undeclared.map((column) => `${table}.${column} is neither exported nor declared otherwise`),
			);
			const personal = declared.filter((column) => !impersonal.includes(column));
			if (
				erasure !== 'delete' &&
				role.kept === undefined &&
				personal.some((column) => !erased.includes(column))
			)
				problems.push(`${table} (${role.purpose}) does not say why data stay after an erasure`);
		}
	}
	return problems;
}

describe('the personal data of each context', () => {
	test.each(contexts.filter(({ hasDatabase }) => hasDatabase))(
		'$name declares every column of every table',
		async (context) => {
			const stored = await storedColumns(context.name);
			expect(stored.size).toBeGreaterThan(3);
			const data = await personalDataOf(context);
			expect(problemsOf(data, stored)).toEqual([]);
			// A column that a migration adds.
			const [table = '', columns = []] = [...stored].find(([name]) => typeof data[name] !== 'string') ?? [];
			const further = new Map(stored).set(table, [...columns, 'maidenName']);
			expect(problemsOf(data, further)).toEqual([
				`${table}.maidenName is neither exported nor declared otherwise`,
			]);
		},
	);

	test('docs/privacy.md is generated from the declarations', async () => {
		const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');
		expect(page).toBe(await privacyText());
	});
});
