import { code } from '@paddock/service';

/** Four digits; the first half of the membership numbers that a club assigns. */
export const clubNumber = code(/^[1-9]\d{3}$/, 'must be four digits, the first not 0');

/** Eight digits: a club's number and four more. */
export const membershipNumber = code(/^[1-9]\d{7}$/, 'must be eight digits, the first not 0').describe(
	'Number of a club and four more digits; unique permanently.',
);

/** The federation's number for a rider. */
export const federationNumber = code(/^\d{6}$/, 'must be six digits').describe(
	'Number of the rider at the federation, unique; null for members who do not compete.',
);

/** The FEI's number for a rider. */
export const feiId = code(/^\d{8}$/, 'must be eight digits').describe(
	'Number of the rider at the FEI, unique; null without one.',
);

/** Bounds of contribution years. */
export const yearMin = 1900;
export const yearMax = 2199;
