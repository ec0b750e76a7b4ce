import { code } from '@paddock/service';

/** Four digits; the first half of the membership numbers that a club assigns. */
export const clubNumber = code(/^[1-9]\d{3}$/, 'must be four digits, the first not 0');

/** Eight digits: a club's number and four more. */
export const membershipNumber = code(/^[1-9]\d{7}$/, 'must be eight digits, the first not 0');

/** The federation's number for a rider. */
export const federationNumber = code(/^\d{6}$/, 'must be six digits');

/** The FEI's number for a rider. */
export const feiId = code(/^\d{8}$/, 'must be eight digits');

/** Bounds of contribution years. */
export const yearMin = 1900;
export const yearMax = 2199;
