import type { HorseBody } from '../horses/body-schemas.ts';
import { countryOfUeln } from '../horses/identifiers.ts';
import type { OwnersBody } from '../ownership/owner-schemas.ts';

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

/** Each owner is either a member or an external party with a country. */
export function referencesOfOwners(owners: OwnersBody): Reference[] {
	return owners.flatMap(({ memberId, externalParty }, index): Reference[] => {
		const field = `owners[${index}]`;
		if (memberId !== null) return [{ kind: 'member', field: `${field}.memberId`, value: memberId }];
		if (externalParty === null) return [];
		const value = externalParty.countryCode;
		return [{ kind: 'country', field: `${field}.externalParty.countryCode`, value }];
	});
}
