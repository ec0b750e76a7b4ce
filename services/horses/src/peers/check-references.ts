import { type FieldError, refuseInvalid } from '@paddock/contract';
import { isOfficer } from '@paddock/identity';
import type { CallingRequest } from '@paddock/peers';
import type { Call } from '@paddock/service';
import type { HorsesDeps } from '../deps.ts';
import type { HorseBody } from '../horses/body-schemas.ts';
import { countryOfUeln } from '../horses/identifiers.ts';
import type { OwnersBody } from '../ownership/owner-schemas.ts';
import type { KnownMember } from './member-directory.ts';

type Deps = Pick<HorsesDeps, 'directory' | 'countries'>;

interface CheckedReferences {
	readonly errors: readonly FieldError[];
	readonly members: ReadonlyMap<string, KnownMember>;
}

const messages: Readonly<Record<ReferenceKind, string>> = {
	member: 'is not the id of a member',
	club: 'is not the id of a club',
	country: 'is not the ISO 3166-1 alpha-2 code of a country',
	uelnCountry: 'must begin with the ISO 3166-1 numeric code of a country',
};

/** Looks up references to records of other contexts, with one call per context; an empty list makes no call. */
export async function checkReferences(
	references: readonly Reference[],
	context: CallingRequest,
	{ directory, countries }: Deps,
): Promise<CheckedReferences> {
	const valuesOf = (...kinds: readonly ReferenceKind[]) =>
		references.filter(({ kind }) => kinds.includes(kind)).map(({ value }) => value);
	const codes = [...new Set(valuesOf('country', 'uelnCountry'))];
	const [members, clubs, known] = await Promise.all([
		directory.members(valuesOf('member'), context),
		directory.knownClubs(valuesOf('club'), context),
		Promise.all(codes.map((code) => countries.isKnown(code, context))),
	]);
	const isFound = ({ kind, value }: Reference): boolean => {
		if (kind === 'member') return (members.get(value)?.status ?? 'INACTIVE') !== 'INACTIVE';
		return kind === 'club' ? clubs.has(value) : known[codes.indexOf(value)] === true;
	};
	const errors = references
		.filter((reference) => !isFound(reference))
		.map(({ kind, field }): FieldError => ({ field, code: 'INVALID_REFERENCE', message: messages[kind] }));
	return { errors, members };
}

/**
 * Returns the referenced members. @throws ApiError VALIDATION_ERROR with every unknown reference, for callers other than the office
 * with every field that refers to members if one is unknown; errors of peer calls.
 */
export async function requireReferences(
	references: readonly Reference[],
	call: Call,
	deps: Deps,
): Promise<ReadonlyMap<string, KnownMember>> {
	const { errors: found, members } = await checkReferences(references, call, deps);
	const errors = isOfficer(call.principal) ? found : withoutUnknownMember(found, references);
	refuseInvalid(errors);
	return members;
}

/** Hides which member reference is unknown: a caller could otherwise test which of the other ids belong to members. */
function withoutUnknownMember(
	errors: readonly FieldError[],
	references: readonly Reference[],
): readonly FieldError[] {
	const fields = references.filter(({ kind }) => kind === 'member').map(({ field }) => field);
	const others = errors.filter(({ field }) => !fields.includes(field));
	if (others.length === errors.length) return errors;
	const named = new Set(fields.map((field) => (field.startsWith('owners[') ? 'owners' : field)));
	const message = 'must refer to members only';
	return [...others, ...[...named].map((field) => ({ field, code: 'INVALID_REFERENCE' as const, message }))];
}

export type ReferenceKind = 'member' | 'club' | 'country' | 'uelnCountry';

export interface Reference {
	readonly kind: ReferenceKind;
	/** Field name in errors: `owners[0].memberId`. */
	readonly field: string;
	readonly value: string;
}

type Referring = Pick<HorseBody, 'responsibleMemberId' | 'clubId' | 'countryOfBirth' | 'ueln'>;

/** For a stored horse only the changed ones, so that a member who has left since does not block other changes. */
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
