import { z } from 'zod';

/** ISO 3166-1 alpha-2, e.g. AT. */
export const isoAlpha2 = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters');

/** ISO 3166-2, e.g. AT-3. */
export const iso3166Part2 = z.string().regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'must be a code such as AT-3');

/** Four digits; the first half of the membership numbers that a club gives. */
export const clubNumber = z.string().regex(/^[1-9]\d{3}$/, 'must be four digits, the first not 0');

/** Eight digits: a club's number and four more. */
export const membershipNumber = z.string().regex(/^[1-9]\d{7}$/, 'must be eight digits, the first not 0');

/** The number under which the federation knows a rider. */
export const federationNumber = z.string().regex(/^\d{6}$/, 'must be six digits');

/** The number under which the FEI knows a rider. */
export const feiId = z.string().regex(/^\d{8}$/, 'must be eight digits');

/** Contribution years that somebody may type. */
export const yearMin = 1900;
export const yearMax = 2199;
