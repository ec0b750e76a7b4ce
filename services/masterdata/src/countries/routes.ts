import { movedRoute, type Route } from '@paddock/service';
import { cacheControl, crudRoutes, type MasterdataDeps, route } from '../deps.ts';
import { activeCountryQuery, country, countryBody, countryCodeParameters, countryPage } from './schemas.ts';
import { countries, getCountryByCode } from './store.ts';

const path = '/api/masterdata/countries';

export const countryRoutes: readonly Route<MasterdataDeps>[] = [
	...crudRoutes({
		path,
		plural: 'countries',
		table: countries,
		record: country,
		body: countryBody,
		replacing: 'The alpha-2 and numeric codes of a country in use stay.',
		deleting: 'A country in use is taken out of use by `isActive: false`.',
		// Other contexts store these codes; alpha-3 and IOC codes are for reading only.
		referencedAs: ({ id, isoAlpha2, isoNumeric }) => ({
			type: 'COUNTRY',
			id,
			codes: [isoAlpha2, isoNumeric],
		}),
	}),
	route({
		method: 'get',
		path: `${path}/active`,
		operationId: 'listActiveCountries',
		summary: 'List the countries that are offered for choice',
		access: 'public',
		query: activeCountryQuery,
		output: countryPage,
		message: 'Active countries',
		etag: 'content',
		cacheControl: cacheControl.list,
		mayLag: true,
		handler: ({ query }, { db }) => countries.list(db, { ...query, isActive: true }, {}),
	}),
	route({
		method: 'get',
		path: `${path}/by-code/{code}`,
		operationId: 'getCountryByCode',
		summary: 'Find a country by any of its codes',
		description:
			'ISO 3166-1 alpha-2, alpha-3, numeric, or IOC, in either case. If ISO and the IOC give the same letters to two countries, it is the one of ISO: BRN is Brunei, not Bahrain.',
		access: 'public',
		params: countryCodeParameters,
		output: country,
		message: 'Country',
		// Not the version alone: the code may have moved to another country of the same version.
		etag: 'shownVersion',
		cacheControl: cacheControl.record,
		handler: ({ params }, { db }) => getCountryByCode(db, params.code),
	}),
	movedRoute({
		path: `${path}/iso/{code}`,
		to: `${path}/by-code/{code}`,
		operationId: 'getCountryByIsoCode',
		tag: 'masterdata',
		access: 'public',
		params: countryCodeParameters,
		deprecated: { since: '2026-11-22', sunset: '2027-12-01' },
	}),
];
