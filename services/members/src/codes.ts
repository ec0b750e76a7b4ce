import { identifier } from '@paddock/service';

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

/** The federation's number for a rider. */
export const federationNumber = identifier([['\\d', 6]], {
	message: 'must be six digits',
	description: 'Number of the rider at the federation, unique; null for members who do not compete.',
});

/** The FEI's number for a rider. */
export const feiId = identifier([['\\d', 8]], {
	message: 'must be eight digits',
	description: 'Number of the rider at the FEI, unique; null without one.',
});

/** Bounds of contribution years. */
export const yearMin = 1900;
export const yearMax = 2199;
