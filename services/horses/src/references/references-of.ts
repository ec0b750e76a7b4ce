import { countryOfUeln } from '../clean-number.ts';
import type { HorseBody } from '../schemas/horse-body.ts';
import type { OwnersBody } from '../schemas/owner.ts';

export type ReferenceKind = 'member' | 'club' | 'country' | 'uelnCountry';

/** A value of a body that must exist in another context. */
export interface Reference {
	readonly kind: ReferenceKind;
	/** Field name in errors: `owners[0].memberId`. */
	readonly field: string;
	readonly value: string;
}

type Referring = Pick<HorseBody, 'responsibleMemberId' | 'clubId' | 'countryOfBirth' | 'ueln'>;

/**
 * References of a horse; for a stored horse only the changed ones, so that a member who has left since does not block
 * other changes.
 */
export function referencesOfHorse(body: Referring, stored?: Referring): Reference[] {
	const changed: Reference[] = [];
	const add = (kind: ReferenceKind, field: keyof Referring, read = (value: string) => value): void => {
		const value = body[field];
		if (value !== null && value !== stored?.[field]) changed.push({ kind, field, value: read(value) });
	};
	add('member', 'responsibleMemberId');
	add('club', 'clubId');
	add('country', 'countryOfBirth');
	add('uelnCountry', 'ueln', countryOfUeln);
	return changed;
}

export function referencesOfOwners(owners: OwnersBody): Reference[] {
	return owners.flatMap(({ memberId, externalParty }, index): Reference[] => [
		...(memberId === null
			? []
			: [{ kind: 'member' as const, field: `owners[${index}].memberId`, value: memberId }]),
		...(externalParty === null
			? []
			: [
					{
						kind: 'country' as const,
						field: `owners[${index}].externalParty.countryCode`,
						value: externalParty.countryCode,
					},
				]),
	]);
}
