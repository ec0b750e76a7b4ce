import { z } from 'zod';

const id = z.uuid();
const day = z.iso.date();
/** The last calendar year whose fee is paid. */
const feePaidForYear = z.int().nullable();

/** A member as the members context returns it to other services. */
export const memberRecord = z.object({
	id,
	firstName: z.string(),
	lastName: z.string(),
	dateOfBirth: day,
	/** ISO 3166-1 alpha-2. */
	nationality: z.string(),
	homeClubId: id.nullable(),
	homeClubName: z.string().nullable(),
	/** ACTIVE is the one that may take part; the others are the members context's own. */
	status: z.string(),
	feePaidForYear,
	/** The guardian's own member record; null for members of age. */
	guardianMemberId: id.nullable(),
	/** Whether the member consents to being named in public. */
	publishResults: z.boolean(),
});

export type MemberRecord = z.output<typeof memberRecord>;

/** A club as the members context returns it to other services. */
export const clubRecord = z.object({ id, name: z.string(), status: z.string() });

export type ClubRecord = z.output<typeof clubRecord>;

/** A horse as the horse registry returns it to other services. */
export const horseRecord = z.object({
	id,
	name: z.string(),
	birthYear: z.int(),
	isPony: z.boolean(),
	heightCm: z.number().nullable(),
	headNumber: z.string().nullable(),
	sireName: z.string().nullable(),
	clubId: id.nullable(),
	responsibleMemberId: id.nullable(),
	/** The owners of today. */
	ownerMemberIds: z.array(id),
	/** ACTIVE is the one that may take part; the others are the horse registry's own. */
	status: z.string(),
	feePaidForYear,
});

export type HorseRecord = z.output<typeof horseRecord>;

/** A venue of the master data. */
export const venueRecord = z.object({
	id,
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

export type VenueRecord = z.output<typeof venueRecord>;

export const arenaRecord = z.object({ id, name: z.string(), isActive: z.boolean() });

export type ArenaRecord = z.output<typeof arenaRecord>;

/** A definition of an age class; a code may have several. */
export const ageClassRecord = z.object({
	code: z.string(),
	/** RIDER or PONY: whether the age limits apply to horse or pony competitions. */
	category: z.enum(['RIDER', 'PONY']),
	/** The only discipline it applies to; null = all disciplines. */
	discipline: z.string().nullable(),
	/** Inclusive, by calendar year; null = open. */
	minAge: z.int().nullable(),
	maxAge: z.int().nullable(),
	/** Inclusive; null = open. */
	validFrom: day.nullable(),
	validTo: day.nullable(),
});

export type AgeClassRecord = z.output<typeof ageClassRecord>;
