import { apiError, type FieldError } from '@paddock/contract';
import { callContextOf } from '../call-context-of.ts';
import type { Call, CallContext } from '../deps.ts';
import { isOfficer } from '../horse-access.ts';
import type { CountryCodes } from './country-codes.ts';
import type { KnownMember, MemberDirectory } from './member-directory.ts';
import type { Reference, ReferenceKind } from './references-of.ts';

/** Checks references of horses to records of other contexts. */
export interface References {
	/**
	 * Looks up all references with one call per context; an empty list makes no call. Returns the referenced members by
	 * id.
	 * @throws ApiError VALIDATION_ERROR with every field whose reference is unknown; for callers other than the office
	 * with every field that refers to members if one of them is unknown; errors of peer calls.
	 */
	require(references: readonly Reference[], call: Call): Promise<ReadonlyMap<string, KnownMember>>;
	/** Like `require`, for references that are not fields of the request: returns the errors. */
	check(references: readonly Reference[], context: CallContext): Promise<CheckedReferences>;
}

/** Errors of references, and the referenced members by id. */
export interface CheckedReferences {
	readonly errors: readonly FieldError[];
	readonly members: ReadonlyMap<string, KnownMember>;
}

export interface ReferencesDeps {
	readonly directory: MemberDirectory;
	readonly countries: CountryCodes;
}

const messages: Readonly<Record<ReferenceKind, string>> = {
	member: 'is not the id of a member',
	club: 'is not the id of a club',
	country: 'is not the ISO 3166-1 alpha-2 code of a country',
	uelnCountry: 'must begin with the ISO 3166-1 numeric code of a country',
};

function isKept({ status }: KnownMember): boolean {
	return status !== 'INACTIVE';
}

export function createReferences({ directory, countries }: ReferencesDeps): References {
	const check: References['check'] = async (references, context) => {
		const idsOf = (kind: ReferenceKind) =>
			references.filter((reference) => reference.kind === kind).map(({ value }) => value);
		const codes = [...new Set([...idsOf('country'), ...idsOf('uelnCountry')])];
		const [members, clubs, known] = await Promise.all([
			directory.members(idsOf('member'), context),
			directory.knownClubs(idsOf('club'), context),
			Promise.all(codes.map((code) => countries.isKnown(code, context))),
		]);
		const found: Readonly<Record<ReferenceKind, ReadonlySet<string>>> = {
			member: new Set([...members.values()].filter(isKept).map(({ id }) => id)),
			club: clubs,
			country: new Set(codes.filter((_code, index) => known[index])),
			uelnCountry: new Set(codes.filter((_code, index) => known[index])),
		};
		const errors = references
			.filter(({ kind, value }) => !found[kind].has(value))
			.map(({ kind, field }): FieldError => ({ field, code: 'INVALID_REFERENCE', message: messages[kind] }));
		return { errors, members };
	};
	return {
		check,
		require: async (references, call) => {
			const { errors: found, members } = await check(references, callContextOf(call));
			const errors = isOfficer(call.principal) ? found : withoutUnknownMember(found, references);
			if (errors.length > 0) throw apiError('VALIDATION_ERROR', { errors });
			return members;
		},
	};
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
