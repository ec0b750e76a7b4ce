import type { FieldError } from '@paddock/contract';
import { type CallingRequest, createKnownIds, createLookUp, type LookUp, type Peer } from '@paddock/peers';
import { z } from 'zod';
import type { User } from '../users/store.ts';

/** Lookup of members and clubs in the members context. */
export interface MemberDirectory {
	/** Returns the ids of existing members; deleted ones are left out. @throws ApiError as `Peer.get` */
	knownMembers(ids: readonly string[], context: CallingRequest): Promise<ReadonlySet<string>>;
	/** Returns the ids of existing clubs; inactive ones are left out. @throws ApiError as `Peer.get` */
	knownClubs(ids: readonly string[], context: CallingRequest): Promise<ReadonlySet<string>>;
	/** Deleted members too. */
	readonly members: LookUp<LinkedMember>;
	/** The member with this number and birth date; undefined if there is none. @throws ApiError as `Peer.require` */
	match(claim: MemberClaim, context: CallingRequest): Promise<MatchedMember | undefined>;
}

const id = z.uuid();
const matchedMember = z.object({ id, homeClubId: id.nullable() });
const linkedMember = z.object({
	...matchedMember.shape,
	membershipNumber: z.string(),
	firstName: z.string(),
	lastName: z.string(),
	dateOfBirth: z.iso.date(),
	status: z.string(),
});

type MatchedMember = z.output<typeof matchedMember>;

/** What a link needs of a member. */
export type LinkedMember = z.output<typeof linkedMember>;

export interface MemberClaim {
	readonly membershipNumber: string;
	readonly dateOfBirth: string;
}

export function createMemberDirectory(members: Peer): MemberDirectory {
	const lookUp = createLookUp(members, '/internal/members/lookup', linkedMember);
	return {
		knownMembers: async (ids, context) => {
			const found = [...(await lookUp(ids, context)).values()];
			return new Set(found.filter(({ status }) => status !== 'INACTIVE').map(({ id }) => id));
		},
		knownClubs: createKnownIds(members, '/internal/clubs/lookup'),
		members: lookUp,
		match: async ({ membershipNumber, dateOfBirth }, context) => {
			const { items } = await members.require({
				context,
				credentials: 'service',
				path: '/internal/members/match',
				query: { membershipNumber, dateOfBirth },
				schema: z.object({ items: z.array(matchedMember) }),
			});
			return items[0];
		},
	};
}

/** For a deployment without members: every id is accepted, and no claim matches. */
export const anyMember: MemberDirectory = {
	knownMembers: async (ids) => new Set(ids),
	knownClubs: async (ids) => new Set(ids),
	members: async () => new Map(),
	match: async () => undefined,
};

/** References of an account to the members context. */
type References = Pick<User, 'memberId' | 'roleScopes'>;

interface Reference {
	readonly field: string;
	readonly id: string;
}

/**
 * Returns an error for each field that refers to a missing member or club. References that the account already has are
 * not looked up, so that a role can be removed during an outage of the members context.
 * @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the members context is unreachable
 */
export async function referenceErrors(
	directory: MemberDirectory,
	{ stored, next }: { readonly stored: References; readonly next: References },
	context: CallingRequest,
): Promise<FieldError[]> {
	const members =
		next.memberId === null || next.memberId === stored.memberId
			? []
			: [{ field: 'memberId', id: next.memberId }];
	const known = new Set(clubsIn(stored.roleScopes).map(({ id }) => id));
	const clubs = clubsIn(next.roleScopes).filter(({ id }) => !known.has(id));
	const idsOf = (references: readonly Reference[]) => references.map(({ id }) => id);
	const [knownMembers, knownClubs] = await Promise.all([
		directory.knownMembers(idsOf(members), context),
		directory.knownClubs(idsOf(clubs), context),
	]);
	return [
		...unknownOf(members, knownMembers, 'is not the id of a member'),
		...unknownOf(clubs, knownClubs, 'is not the id of an active club'),
	];
}

function clubsIn(scopes: User['roleScopes']): Reference[] {
	return Object.entries(scopes).flatMap(([role, scope]) =>
		(scope?.clubIds ?? []).map((id, index) => ({ field: `roleScopes.${role}.clubIds[${index}]`, id })),
	);
}

function unknownOf(
	references: readonly Reference[],
	known: ReadonlySet<string>,
	message: string,
): FieldError[] {
	return references
		.filter(({ id }) => !known.has(id))
		.map(({ field }) => ({ field, code: 'INVALID_REFERENCE', message }));
}
