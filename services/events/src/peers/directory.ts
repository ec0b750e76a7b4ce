import { type CallingRequest, createLookUp, type LookUp, type Peers } from '@paddock/peers';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Ruleset, rulesets } from '../enumerations.ts';
import {
	type AgeClassRecord,
	type ArenaRecord,
	ageClassRecord,
	arenaRecord,
	type ClubRecord,
	clubRecord,
	type HorseRecord,
	horseRecord,
	type MemberRecord,
	memberRecord,
	type VenueRecord,
	venueRecord,
} from './records.ts';

/** Only age classes are cached. @throws ApiError, errors of peer calls; no id is accepted unchecked. */
export interface Directory {
	readonly members: LookUp<MemberRecord>;
	readonly horses: LookUp<HorseRecord>;
	readonly clubs: LookUp<ClubRecord>;
	/** Ids of the horses that a member owns or is responsible for today. */
	keptHorses(memberId: string, context: CallingRequest): Promise<ReadonlySet<string>>;
	venue(id: string, context: CallingRequest): Promise<VenueRecord | undefined>;
	arena(venueId: string, id: string, context: CallingRequest): Promise<ArenaRecord | undefined>;
	/** All definitions of the ruleset. Cached for up to five minutes, unless `fresh` is set. */
	ageClasses(
		ruleset: Ruleset,
		context: CallingRequest,
		options?: { readonly fresh: boolean },
	): Promise<readonly AgeClassRecord[]>;
}

const keptHorseIds = z.object({ horseIds: z.array(z.uuid()) });
const ageClassPage = z.object({
	items: z.array(ageClassRecord),
	pagination: z.object({ hasNext: z.literal(false) }),
});
// LRUCache returns an item until its age exceeds the TTL.
const ageClassesTtlMs = 5 * 60_000 - 1;

export function createDirectory(peers: Pick<Peers, 'peer'>, now: () => Date): Directory {
	const members = peers.peer('members-service');
	const horses = peers.peer('horses-service');
	const masterdata = peers.peer('masterdata-service');
	const ageClasses = new LRUCache<Ruleset, readonly AgeClassRecord[]>({
		max: rulesets.length,
		ttl: ageClassesTtlMs,
		ttlResolution: 0,
		perf: { now: () => now().getTime() },
	});
	return {
		members: createLookUp(members, '/internal/members/lookup', memberRecord),
		horses: createLookUp(horses, '/internal/horses/lookup', horseRecord),
		clubs: createLookUp(members, '/internal/clubs/lookup', clubRecord),
		keptHorses: async (memberId, context) => {
			const found = await horses.require({
				context,
				credentials: 'service',
				path: '/internal/horses/kept',
				query: { memberId },
				schema: keptHorseIds,
			});
			return new Set(found.horseIds);
		},
		venue: (id, context) =>
			masterdata.get({
				context,
				credentials: 'none',
				path: `/api/masterdata/venues/${id}`,
				schema: venueRecord,
			}),
		arena: (venueId, id, context) =>
			masterdata.get({
				context,
				credentials: 'none',
				path: `/api/masterdata/venues/${venueId}/arenas/${id}`,
				schema: arenaRecord,
			}),
		ageClasses: async (ruleset, context, { fresh } = { fresh: false }) => {
			const cached = fresh ? undefined : ageClasses.get(ruleset);
			if (cached !== undefined) return cached;
			const { items } = await masterdata.require({
				context,
				credentials: 'none',
				path: '/api/masterdata/age-classes',
				query: { ruleset, size: '200' },
				schema: ageClassPage,
			});
			ageClasses.set(ruleset, items);
			return items;
		},
	};
}
