import { createRequire } from 'node:module';
import { iso31661 } from 'iso-3166';
import type { CountryBody } from '../countries/schemas.ts';

interface Names {
	nameEn: string;
	nameDe: string;
}

type Table = Readonly<Record<string, string | readonly string[]>>;

// The language files are loaded directly: the package's entry point loads all of its 80 languages.
const require = createRequire(import.meta.url);
const german = tableOf('de');
const english = tableOf('en');

/** Names that are wrong in the package (its `CD` is just "Kongo"), not German, obsolete, or inverted for sorting. */
const corrections: Readonly<Record<string, Partial<Names>>> = {
	BN: { nameEn: 'Brunei', nameDe: 'Brunei' },
	BQ: { nameDe: 'Bonaire, Sint Eustatius und Saba' },
	CD: { nameDe: 'Demokratische Republik Kongo' },
	CI: { nameEn: 'Côte d’Ivoire' },
	CN: { nameEn: 'China' },
	CZ: { nameEn: 'Czechia', nameDe: 'Tschechien' },
	FM: { nameEn: 'Micronesia' },
	GM: { nameEn: 'Gambia' },
	HM: { nameDe: 'Heard und die McDonaldinseln' },
	IR: { nameEn: 'Iran' },
	LA: { nameEn: 'Laos' },
	MD: { nameEn: 'Moldova', nameDe: 'Moldau' },
	MK: { nameEn: 'North Macedonia' },
	PS: { nameEn: 'Palestine', nameDe: 'Palästina' },
	RE: { nameEn: 'Réunion' },
	RU: { nameEn: 'Russia', nameDe: 'Russland' },
	ST: { nameEn: 'São Tomé and Príncipe' },
	SY: { nameEn: 'Syria', nameDe: 'Syrien' },
	TW: { nameEn: 'Taiwan' },
	TZ: { nameEn: 'Tanzania', nameDe: 'Tansania' },
	UM: { nameDe: 'Kleinere Amerikanische Überseeinseln' },
	US: { nameDe: 'Vereinigte Staaten' },
	VA: { nameEn: 'Vatican City' },
	VG: { nameEn: 'British Virgin Islands' },
	VI: { nameEn: 'U.S. Virgin Islands' },
};

/** The names of a country, by ISO 3166-1 alpha-2. @throws Error if the package doesn't know the code. */
function countryNames(alpha2: string): Names {
	return { nameEn: nameIn(english, alpha2), nameDe: nameIn(german, alpha2), ...corrections[alpha2] };
}

function tableOf(language: 'de' | 'en'): Table {
	const file: { countries: Table } = require(`i18n-iso-countries/langs/${language}.json`);
	return file.countries;
}

// If the package has several names, the first is the usual one.
function nameIn(table: Table, alpha2: string): string {
	const entry = table[alpha2];
	const name = typeof entry === 'string' ? entry : entry?.[0];
	if (name === undefined) throw new Error(`i18n-iso-countries has no name for ${alpha2}`);
	return name;
}

/** Members of the European Union, by ISO 3166-1 alpha-2. https://european-union.europa.eu/principles-countries-history/eu-countries_en */
const euMembers: ReadonlySet<string> = new Set(
	'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Members of the European Economic Area: the EU and three of the EFTA states. https://www.efta.int/eea */
export const eeaMembers: ReadonlySet<string> = new Set([...euMembers, 'IS', 'LI', 'NO']);

/** Countries and territories without an Olympic committee: those of the Faroe Islands, Guernsey, Jersey and Macao are of other games. */
const withoutCommittee: ReadonlySet<string> = new Set(
	[
		'AI AQ AX BL BQ BV CC CW CX EH FK FO GF GG GI GL GP GS HM IM IO JE',
		'MF MO MP MQ MS NC NF NU PF PM PN RE SH SJ SX TC TF TK UM VA WF YT',
	]
		.join(' ')
		.split(' '),
);

/** IOC codes that differ from ISO 3166-1 alpha-3. The committee of Kosovo (KOS) has no ISO code. */
const ownIocCodes: Readonly<Record<string, string>> = Object.fromEntries(
	[
		'AE:UAE AG:ANT AO:ANG AS:ASA AW:ARU BB:BAR BD:BAN BF:BUR BG:BUL BH:BRN BM:BER BN:BRU BS:BAH BT:BHU',
		'BW:BOT BZ:BIZ CG:CGO CH:SUI CL:CHI CR:CRC DE:GER DK:DEN DZ:ALG FJ:FIJ GD:GRN GM:GAM GN:GUI GQ:GEQ',
		'GR:GRE GT:GUA GW:GBS HN:HON HR:CRO HT:HAI ID:INA IR:IRI KH:CAM KN:SKN KW:KUW KY:CAY LK:SRI LS:LES',
		'LV:LAT LY:LBA MC:MON MG:MAD MM:MYA MN:MGL MR:MTN MU:MRI MW:MAW MY:MAS NE:NIG NG:NGR NI:NCA NL:NED',
		'NP:NEP OM:OMA PH:PHI PR:PUR PS:PLE PT:POR PY:PAR SA:KSA SB:SOL SC:SEY SD:SUD SI:SLO SV:ESA TD:CHA',
		'TG:TOG TO:TGA TW:TPE TZ:TAN UY:URU VC:VIN VG:IVB VI:ISV VN:VIE VU:VAN WS:SAM ZA:RSA ZM:ZAM ZW:ZIM',
	].flatMap((row) => row.split(' ').map((pair) => pair.split(':'))),
);

/** Sorted first: Austria and its neighbours, where most riders come from. All others follow by name. */
const inFront = ['AT', 'DE', 'CH', 'LI', 'IT', 'SI', 'HU', 'SK', 'CZ'];
const sortOrderStep = 10;
const sortOrderOfOthers = 1_000;

/** Those with an Olympic committee, which can send a team, are active and offered for choice. */
export const countries: readonly CountryBody[] = iso31661.map(({ alpha2, alpha3, numeric }) => {
	const iocCode = withoutCommittee.has(alpha2) ? null : (ownIocCodes[alpha2] ?? alpha3);
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
