import { type FieldError, refuseInvalid } from '@paddock/contract';
import type { HorsesQueryable } from '../database-schema.ts';
import { horsesError } from '../errors.ts';
import type { HorseBody } from '../horses/body-schemas.ts';
import type { Horse } from '../horses/schemas.ts';
import type { Sex } from '../horses/words.ts';
import { type Birth, birthOf, isSameBirth, parentProblem } from './rules.ts';
import { isAncestorOrSelf, listChildren, listRelatives } from './store.ts';

interface Parentage extends Birth {
	readonly sex: Sex;
	readonly sireId: string | null;
	readonly damId: string | null;
}

export function parentageOf(body: HorseBody): Parentage {
	return { sex: body.sex, sireId: body.sireId, damId: body.damId, ...birthOf(body) };
}

export function isSameParentage(a: Parentage, b: Parentage): boolean {
	return a.sex === b.sex && a.sireId === b.sireId && a.damId === b.damId && isSameBirth(a, b);
}

/**
 * Linked parents are registered, of the right sex and age, and not among the own offspring. `stored`: before the write. The caller
 * must hold `lockPedigrees`. @throws ApiError VALIDATION_ERROR, PEDIGREE_CYCLE, WRONG_PARENT_SEX, PARENT_TOO_YOUNG
 */
export async function checkParents(
	db: HorsesQueryable,
	child: Parentage,
	stored?: Pick<Horse, 'id' | 'sireId' | 'damId'>,
): Promise<void> {
	const parents = linksOf(child, stored);
	const relatives = await listRelatives(
		db,
		parents.map(({ id }) => id),
	);
	const errors = parents
		.filter(({ id, isNew }) => isNew && (relatives.get(id)?.status ?? 'INACTIVE') === 'INACTIVE')
		.map(
			({ field }): FieldError => ({ field, code: 'INVALID_REFERENCE', message: 'is no registered horse' }),
		);
	refuseInvalid(errors);
	for (const { role, field, id, isNew } of parents) {
		if (isNew && stored !== undefined && (await isAncestorOrSelf(db, stored.id, id)))
			throw horsesError('PEDIGREE_CYCLE', { context: { field, parentId: id } });
		const parent = relatives.get(id);
		const problem = parent === undefined ? undefined : parentProblem(role, parent, child);
		if (problem !== undefined) throw horsesError(problem, { context: { field, parentId: id } });
	}
}

const links = [
	['sire', 'sireId'],
	['dam', 'damId'],
] as const;

function linksOf(child: Parentage, stored?: Pick<Horse, 'sireId' | 'damId'>) {
	return links.flatMap(([role, field]) => {
		const id = child[field];
		return id === null ? [] : [{ role, field, id, isNew: id !== stored?.[field] }];
	});
}

const childrenNamed = 10;

/** The caller must hold `lockPedigrees`. @throws ApiError CHILD_WOULD_BREAK with the first of its offspring as `childIds` */
export async function checkChildren(db: HorsesQueryable, id: string, changed: Parentage): Promise<void> {
	const children = await listChildren(db, id);
	const broken = children.filter(
		(child) => parentProblem(child.damId === id ? 'dam' : 'sire', changed, child) !== undefined,
	);
	if (broken.length === 0) return;
	const childIds = broken.slice(0, childrenNamed).map((child) => child.id);
	throw horsesError('CHILD_WOULD_BREAK', { context: { childIds } });
}
