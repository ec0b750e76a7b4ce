import { advisoryLock, searchLines } from '@paddock/database';
import { withInstants } from '@paddock/service';
import type { MasterdataQueryable } from '../database-schema.ts';
import { crudTable } from '../errors.ts';
import { type AgeClass, type AgeClassBody, ageClassQuery } from './schemas.ts';

export const ageClasses = crudTable('ageClasses', {
	noun: 'age class',
	toRecord: (row): AgeClass => row,
	toRow: ageClassRow,
	query: ageClassQuery,
	defaultSort: ['ruleset', 'category', 'minAge', 'maxAge', 'code'],
	alphabetical: ['nameEn', 'nameDe'],
	taken: { age_classes_one_at_a_time: 'AGE_CLASS_TAKEN' },
	inUse: 'AGE_CLASS_IN_USE',
	codeInUse: 'Competitions refer to the age class by ruleset and code, so they cannot change.',
	beforeWrite: lockDefinitions,
});

export function ageClassRow(body: AgeClassBody) {
	return { ...body, searchText: searchLines(body.nameEn, body.nameDe, body.code) };
}

/** Concurrent writes of two overlapping definitions would wait for each other, and PostgreSQL would abort one as a deadlock. */
export async function lockDefinitions(transaction: MasterdataQueryable): Promise<void> {
	await advisoryLock(transaction, 'age classes');
}

/** All age classes of a category, of one ruleset or of both; youngest first. */
export async function listAgeClassesOf(
	db: MasterdataQueryable,
	category: AgeClass['category'],
	ruleset: AgeClass['ruleset'] | undefined,
): Promise<AgeClass[]> {
	let select = db.selectFrom('ageClasses').selectAll().where('category', '=', category);
	if (ruleset !== undefined) select = select.where('ruleset', '=', ruleset);
	const rows = await select
		.orderBy('ruleset')
		.orderBy('minAge')
		.orderBy('maxAge')
		.orderBy('code')
		.orderBy('id')
		.execute();
	return rows.map(withInstants);
}
