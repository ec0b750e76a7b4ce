/** Members of the European Union, by ISO 3166-1 alpha-2. https://european-union.europa.eu/principles-countries-history/eu-countries_en */
export const euMembers: ReadonlySet<string> = new Set(
	'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Members of the European Economic Area: the EU and three of the EFTA states. https://www.efta.int/eea */
export const eeaMembers: ReadonlySet<string> = new Set([...euMembers, 'IS', 'LI', 'NO']);
