import { type Birth, isOldEnoughForParent } from './birth.ts';
import type { HorsesErrorCode } from './errors.ts';

export const sexes = ['STALLION', 'MARE', 'GELDING'] as const;
export type Sex = (typeof sexes)[number];

export type ParentRole = 'sire' | 'dam';

/** What the rules of parentage look at. */
export interface Relative extends Birth {
	readonly id: string;
	readonly sex: Sex;
}

/** A gelding may have been a sire before; foals that it left stay its foals. */
export function canBe(role: ParentRole, sex: Sex): boolean {
	return (role === 'dam') === (sex === 'MARE');
}

/** Why a horse can't be the parent of another by its own data; undefined when it can. */
export function parentProblem(
	role: ParentRole,
	parent: Omit<Relative, 'id'>,
	child: Birth,
): Extract<HorsesErrorCode, 'WRONG_PARENT_SEX' | 'PARENT_TOO_YOUNG'> | undefined {
	if (!canBe(role, parent.sex)) return 'WRONG_PARENT_SEX';
	return isOldEnoughForParent(parent, child) ? undefined : 'PARENT_TOO_YOUNG';
}
