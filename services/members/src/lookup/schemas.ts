import { id, isoDate } from '@paddock/service';
import { z } from 'zod';
import { clubStatus } from '../clubs/schemas.ts';
import { memberStatus } from '../members/schemas.ts';

/** Fields of a member that other contexts may read. */
export const memberLookup = z
	.strictObject({
		items: z.array(
			z.strictObject({
				id,
				membershipNumber: z.string(),
				firstName: z.string(),
				lastName: z.string(),
				dateOfBirth: isoDate,
				nationality: z.string(),
				stateCode: z.string().nullable(),
				homeClubId: id.nullable(),
				homeClubName: z.string().nullable(),
				status: memberStatus,
				feePaidForYear: z.int().nullable(),
				guardianMemberId: id
					.nullable()
					.describe('The member responsible for one under 18; null from the 18th birthday on.'),
				publishResults: z.boolean().describe('Whether the member consents to published results.'),
			}),
		),
	})
	.meta({ id: 'MemberLookup' });

export type MemberLookup = z.output<typeof memberLookup>['items'][number];

/** Fields of a club that other contexts may read. */
export const clubLookup = z
	.strictObject({
		items: z.array(
			z.strictObject({
				id,
				clubNumber: z.string(),
				name: z.string(),
				stateCode: z.string().nullable(),
				status: clubStatus,
			}),
		),
	})
	.meta({ id: 'ClubLookup' });

export type ClubLookup = z.output<typeof clubLookup>['items'][number];
