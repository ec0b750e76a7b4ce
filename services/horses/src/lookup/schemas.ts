import { id } from '@paddock/service';
import { z } from 'zod';
import { horse } from '../horses/schemas.ts';

const shared = horse.pick({
	id: true,
	name: true,
	sex: true,
	birthYear: true,
	dateOfBirth: true,
	isPony: true,
	heightCm: true,
	headNumber: true,
	feiId: true,
	sireName: true,
	clubId: true,
	responsibleMemberId: true,
	status: true,
	feePaidForYear: true,
});

/** The fields of a horse that other services read as they are. */
export const sharedFields = Object.keys(shared.shape) as (keyof z.output<typeof shared>)[];

const foundHorse = shared.extend({ ownerMemberIds: z.array(id) });

export type FoundHorse = z.output<typeof foundHorse>;

export const lookupResponse = z.strictObject({ items: z.array(foundHorse) });

export const ownedQuery = z.strictObject({ memberId: id });

export const ownedResponse = z.strictObject({
	count: z.int().min(0).describe('Horses that the member owns or is responsible for today.'),
});

export const keptResponse = z.strictObject({
	horseIds: z
		.array(id)
		.describe('Horses that the member owns or is responsible for today, deleted ones too.'),
});
