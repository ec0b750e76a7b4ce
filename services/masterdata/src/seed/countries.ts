import { iso31661 } from 'iso-3166';
import type { CountryBody } from '../countries/schemas.ts';
import { countryNames } from './country-names.ts';
import { eeaMembers, euMembers } from './european-memberships.ts';
import { iocCodes } from './ioc-codes.ts';

/** Sorted first: Austria and its neighbours, where most riders come from. All others follow by name. */
const inFront = ['AT', 'DE', 'CH', 'LI', 'IT', 'SI', 'HU', 'SK', 'CZ'];
const sortOrderStep = 10;
const sortOrderOfOthers = 1_000;

/**
 * All countries of ISO 3166-1. Those with an Olympic committee, which can send a team, are active and offered for
 * choice.
 */
export const countries: readonly CountryBody[] = iso31661.map(({ alpha2, alpha3, numeric }) => {
	const iocCode = iocCodes[alpha2] ?? null;
	const place = inFront.indexOf(alpha2);
	return {
		isoAlpha2: alpha2,
		isoAlpha3: alpha3,
		isoNumeric: numeric,
		iocCode,
		...countryNames(alpha2),
		isEuMember: euMembers.has(alpha2),
		isEeaMember: eeaMembers.has(alpha2),
		isActive: iocCode !== null,
		sortOrder: place === -1 ? sortOrderOfOthers : (place + 1) * sortOrderStep,
	};
});
