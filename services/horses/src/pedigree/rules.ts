import type { HorsesErrorCode } from '../errors.ts';
import type { Sex } from '../horses/enumerations.ts';
import { type Birth, isOldEnoughForParent } from './birth.ts';

type ParentRole = 'sire' | 'dam';

/** A gelding may have sired foals before castration. */
function canBe(role: ParentRole, sex: Sex): boolean {
	return (role === 'dam') === (sex === 'MARE');
}

/** The rule that prevents a horse from being the parent of the child; undefined if it is possible. */
export function parentProblem(
	role: ParentRole,
	parent: Birth & { readonly sex: Sex },
	child: Birth,
): Extract<HorsesErrorCode, 'WRONG_PARENT_SEX' | 'PARENT_TOO_YOUNG'> | undefined {
	if (!canBe(role, parent.sex)) return 'WRONG_PARENT_SEX';
	return isOldEnoughForParent(parent, child) ? undefined : 'PARENT_TOO_YOUNG';
}
