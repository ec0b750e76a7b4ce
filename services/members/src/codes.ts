import type { NumberSpace } from '@paddock/database';
import { identifier } from '@paddock/service';
import { sql } from 'kysely';

/** Four digits; the first half of the membership numbers that a club assigns. */
export const clubNumber = identifier(
	[
		['[1-9]', 1],
		['\\d', 3],
	],
	{
		message: 'must be four digits, the first not 0',
		description: 'Four digits, unique: the first half of the membership numbers that the club assigns.',
	},
);

/** Eight digits: a club's number and four more. */
export const membershipNumber = identifier(
	[
		['[1-9]', 1],
		['\\d', 7],
	],
	{
		message: 'must be eight digits, the first not 0',
		description: 'Number of a club and four more digits; unique permanently.',
	},
);

export const federationNumber = identifier([['\\d', 6]], {
	message: 'must be six digits',
	description: 'Number of the rider at the federation, unique; null for members who do not compete.',
});

export const feiId = identifier([['\\d', 8]], {
	message: 'must be eight digits',
	description: 'Number of the rider at the FEI, unique; null without one.',
});

export const yearMin = 1900;
export const yearMax = 2199;

/** The numbers of this registry that end one day (docs/domain.md). */
export const numberSpaces: Readonly<Record<string, NumberSpace>> = {
	clubNumber: { size: 9_000, used: sql`(select count(*) from clubs)` },
	membershipNumber: {
		size: 9_999,
		used: sql`(select coalesce(max(members), 0) from (
			select count(*) as members from members group by left(membership_number, 4)
		) as clubs)`,
	},
	federationNumber: { size: 1_000_000, used: sql`(select count(federation_number) from members)` },
};
