import type { Country } from '../src/countries/schemas.ts';

/** The user-assigned codes of ISO 3166-1 (XA to XZ, XAA to XZZ, 900 to 999): no seeded country has them. */
export function inventedCountry(letter: string, changes: Partial<Country> = {}) {
	const place = letter.charCodeAt(0) - 65;
	return {
		isoAlpha2: `X${letter}`,
		isoAlpha3: `XX${letter}`,
		isoNumeric: String(900 + place),
		iocCode: null,
		nameEn: `Freedonia ${letter}`,
		nameDe: `Freedonien ${letter}`,
		isEuMember: false,
		isEeaMember: false,
		isActive: true,
		sortOrder: 1_000,
		...changes,
	};
}
