import { fail, type Page } from '@paddock/contract';
import { alphabetical, listPage, type Ordering, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { AgeClassRow, MasterdataQueryable, NewAgeClassRow } from '../database-schema.ts';
import { failMasterdata } from '../errors.ts';
import type { AgeClass, AgeClassBody, AgeClassQuery } from '../schemas/age-class.ts';

type SortField = NonNullable<AgeClassQuery['sort']>[number]['field'];

const ordering: Ordering<SortField> = {
	ruleset: sql.ref('ruleset'),
	category: sql.ref('category'),
	minAge: sql.ref('min_age'),
	maxAge: sql.ref('max_age'),
	code: sql.ref('code'),
	nameEn: alphabetical('name_en'),
	nameDe: alphabetical('name_de'),
};
const defaultSort = (['ruleset', 'category', 'minAge', 'maxAge', 'code'] as const).map((field) => ({
	field,
	descending: false,
}));

/** By ruleset, category and age unless sorted otherwise. */
export async function listAgeClasses(db: MasterdataQueryable, query: AgeClassQuery): Promise<Page<AgeClass>> {
	let select = db.selectFrom('age_classes').selectAll();
	if (query.ruleset !== undefined) select = select.where('ruleset', '=', query.ruleset);
	if (query.category !== undefined) select = select.where('category', '=', query.category);
	if (query.discipline !== undefined) select = select.where('discipline', '=', query.discipline);
	const ordered = sorted(select, query.sort ?? defaultSort, ordering).orderBy('id');
	return listPage(ordered, pageRequest(query), toAgeClass);
}

/** All of a category, of one ruleset or of both; youngest first. */
export async function listAgeClassesOf(
	db: MasterdataQueryable,
	category: AgeClass['category'],
	ruleset: AgeClass['ruleset'] | undefined,
): Promise<AgeClass[]> {
	let select = db.selectFrom('age_classes').selectAll().where('category', '=', category);
	if (ruleset !== undefined) select = select.where('ruleset', '=', ruleset);
	const rows = await sorted(select, defaultSort, ordering).orderBy('id').execute();
	return rows.map(toAgeClass);
}

/** @throws ApiError NOT_FOUND */
export async function getAgeClass(db: MasterdataQueryable, id: string): Promise<AgeClass> {
	const row = await db.selectFrom('age_classes').selectAll().where('id', '=', id).executeTakeFirst();
	return toAgeClass(orNotFound(row));
}

/** Holds the row until the end of the transaction. @throws ApiError NOT_FOUND */
export async function lockAgeClass(db: MasterdataQueryable, id: string): Promise<AgeClass> {
	const row = await db
		.selectFrom('age_classes')
		.selectAll()
		.where('id', '=', id)
		.forUpdate()
		.executeTakeFirst();
	return toAgeClass(orNotFound(row));
}

/**
 * Lets one transaction at a time write definitions. Of two that overlap each would find the other one unfinished and
 * wait for it, and PostgreSQL ends such a pair with a deadlock, after a second.
 */
export async function lockDefinitions(transaction: MasterdataQueryable): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended('age classes', 0))`.execute(transaction);
}

/** Needs `lockDefinitions`. @throws ApiError AGE_CLASS_TAKEN */
export async function insertAgeClass(db: MasterdataQueryable, body: AgeClassBody): Promise<AgeClass> {
	const insert = db.insertInto('age_classes').values(ageClassRow(body)).returningAll();
	return toAgeClass(await orOverlapping(insert.executeTakeFirstOrThrow()));
}

/** Needs `lockDefinitions`. @throws ApiError AGE_CLASS_TAKEN */
export async function updateAgeClass(
	db: MasterdataQueryable,
	id: string,
	body: AgeClassBody,
): Promise<AgeClass> {
	const update = db
		.updateTable('age_classes')
		.set({ ...ageClassRow(body), version: sql`version + 1` })
		.where('id', '=', id)
		.returningAll();
	return toAgeClass(await orOverlapping(update.executeTakeFirstOrThrow()));
}

export async function deleteAgeClass(db: MasterdataQueryable, id: string): Promise<void> {
	await db.deleteFrom('age_classes').where('id', '=', id).execute();
}

/** The row of what a client or the seed writes. */
export function ageClassRow(body: AgeClassBody): NewAgeClassRow {
	return {
		code: body.code,
		ruleset: body.ruleset,
		category: body.category,
		discipline: body.discipline,
		name_en: body.nameEn,
		name_de: body.nameDe,
		min_age: body.minAge,
		max_age: body.maxAge,
		legal_reference: body.legalReference,
		valid_from: body.validFrom,
		valid_to: body.validTo,
	};
}

// SQLSTATE 23P01, exclusion_violation: two definitions of one class on the same day.
async function orOverlapping<Result>(write: Promise<Result>): Promise<Result> {
	try {
		return await write;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === '23P01')
			throw failMasterdata('AGE_CLASS_TAKEN', { cause: error });
		throw error;
	}
}

function toAgeClass(row: AgeClassRow): AgeClass {
	return {
		id: row.id,
		code: row.code,
		ruleset: row.ruleset,
		nameEn: row.name_en,
		nameDe: row.name_de,
		category: row.category,
		discipline: row.discipline,
		minAge: row.min_age,
		maxAge: row.max_age,
		legalReference: row.legal_reference,
		validFrom: row.valid_from,
		validTo: row.valid_to,
		version: row.version,
	};
}

function orNotFound(row: AgeClassRow | undefined): AgeClassRow {
	if (row === undefined) throw fail('NOT_FOUND', { message: 'There is no such age class.' });
	return row;
}
