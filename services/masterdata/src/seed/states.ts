import type { StateBody } from '../states/schemas.ts';

/** ISO 3166-2 code, number of the state association in the federation, name, usual abbreviation. */
const austrian = [
	['AT-9', '01', 'Wien', 'W'],
	['AT-3', '02', 'Niederösterreich', 'NÖ'],
	['AT-1', '03', 'Burgenland', 'Bgld.'],
	['AT-6', '04', 'Steiermark', 'Stmk.'],
	['AT-2', '05', 'Kärnten', 'Ktn.'],
	['AT-4', '06', 'Oberösterreich', 'OÖ'],
	['AT-5', '07', 'Salzburg', 'Sbg.'],
	['AT-7', '08', 'Tirol', 'T'],
	['AT-8', '09', 'Vorarlberg', 'Vbg.'],
] as const;

/** The Austrian states. The federation's numbers are its own: they follow neither ISO nor the alphabet. */
export const states: readonly StateBody[] = austrian.map(
	([iso3166_2, federationCode, name, abbreviation]) => ({
		countryCode: 'AT',
		iso3166_2,
		federationCode,
		name,
		abbreviation,
		isActive: true,
	}),
);
