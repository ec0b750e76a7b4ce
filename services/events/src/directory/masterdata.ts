import type { Peers } from '@paddock/peers';
import { z } from 'zod';
import type { Ruleset } from '../rulesets.ts';
import type { CallContext } from './call-context.ts';

const venueReference = z.object({
	id: z.uuid(),
	name: z.string(),
	address: z.object({ city: z.string() }).nullable(),
	/** ISO 3166-2 */
	stateCode: z.string().nullable(),
	/** ISO 3166-1 alpha-2. */
	countryCode: z.string(),
	/** IANA */
	timeZone: z.string(),
	isActive: z.boolean(),
});

export type VenueReference = z.output<typeof venueReference>;

const arenaReference = z.object({ id: z.uuid(), name: z.string(), isActive: z.boolean() });

export type ArenaReference = z.output<typeof arenaReference>;

const ageClassReference = z.object({
	code: z.string(),
	nameEn: z.string(),
	nameDe: z.string(),
	/** RIDER or PONY: whether the age limits apply to horse or pony competitions. */
	category: z.enum(['RIDER', 'PONY']),
	/** The only discipline it applies to; null = all disciplines. */
	discipline: z.string().nullable(),
	/** Inclusive, by calendar year; null = open. */
	minAge: z.int().nullable(),
	maxAge: z.int().nullable(),
	/** Inclusive; null = open. */
	validFrom: z.iso.date().nullable(),
	validTo: z.iso.date().nullable(),
});

export type AgeClassReference = z.output<typeof ageClassReference>;

/**
 * Records of the master data context.
 * @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if it does not respond and no fresh copy is cached.
 */
export interface Masterdata {
	/** Undefined if the venue does not exist. */
	venue(id: string, context: CallContext): Promise<VenueReference | undefined>;
	/** Undefined if the venue has no such arena. */
	arena(venueId: string, id: string, context: CallContext): Promise<ArenaReference | undefined>;
	/**
	 * All definitions of the ruleset; a code may have several. Cached for up to five minutes, unless `fresh` is set.
	 */
	ageClasses(
		ruleset: Ruleset,
		context: CallContext,
		options?: { readonly fresh: boolean },
	): Promise<readonly AgeClassReference[]>;
}

const freshMs = 5 * 60_000;
const ageClassPage = z.object({
	items: z.array(ageClassReference),
	pagination: z.object({ hasNext: z.literal(false) }),
});

export function createMasterdata(deps: { peers: Pick<Peers, 'peer'>; now: () => Date }): Masterdata {
	const { now } = deps;
	const masterdata = deps.peers.peer('masterdata-service');
	const known = new Map<Ruleset, { ageClasses: readonly AgeClassReference[]; untilMs: number }>();
	const asked = ({ requestId, signal, traceparent }: CallContext) =>
		({ credentials: 'none', requestId, signal, traceparent }) as const;
	return {
		venue: (id, context) =>
			masterdata.get({
				path: `/api/masterdata/venues/${id}`,
				schema: venueReference,
				...asked(context),
			}),
		arena: (venueId, id, context) =>
			masterdata.get({
				path: `/api/masterdata/venues/${venueId}/arenas/${id}`,
				schema: arenaReference,
				...asked(context),
			}),
		ageClasses: async (ruleset, context, { fresh } = { fresh: false }) => {
			const kept = fresh ? undefined : known.get(ruleset);
			if (kept !== undefined && now().getTime() < kept.untilMs) return kept.ageClasses;
			const page = await masterdata.get({
				path: '/api/masterdata/age-classes',
				query: { ruleset, size: '200' },
				schema: ageClassPage,
				...asked(context),
			});
			const ageClasses = page?.items ?? [];
			known.set(ruleset, { ageClasses, untilMs: now().getTime() + freshMs });
			return ageClasses;
		},
	};
}
