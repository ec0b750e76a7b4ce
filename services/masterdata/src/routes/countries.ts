import { inTransaction } from '@paddock/database';
import {
	idParameters,
	officersOnly,
	type Route,
	refuseServerOwnedChanges,
	requireVersion,
} from '@paddock/service';
import { createOnce } from '../create-once.ts';
import { type MasterdataDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { countryReference, lostCodes, requireUnusedElsewhere } from '../references-elsewhere.ts';
import {
	deleteCountry,
	getCountry,
	getCountryByCode,
	insertCountry,
	listCountries,
	lockCountry,
	updateCountry,
} from '../repository/countries.ts';
import {
	activeCountryQuery,
	country,
	countryBody,
	countryCodeParameters,
	countryPage,
	countryQuery,
} from '../schemas/country.ts';
import { listCacheControl, recordCacheControl } from './cache-control.ts';

const tag = 'masterdata';
const path = '/api/masterdata/countries';
const taken = ['ISO_ALPHA2_TAKEN', 'ISO_ALPHA3_TAKEN', 'ISO_NUMERIC_TAKEN', 'IOC_CODE_TAKEN'] as const;

const codeInUse = {
	code: 'COUNTRY_IN_USE',
	message: 'Other records refer to the country by the code, so it cannot change.',
} as const;

const reading: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listCountries',
		tag,
		summary: 'List all countries',
		access: 'public',
		query: countryQuery,
		output: countryPage,
		message: 'Countries',
		etag: 'content',
		cacheControl: listCacheControl,
		handler: ({ query }, { db }) => listCountries(db, query),
	}),
	route({
		method: 'get',
		path: `${path}/active`,
		operationId: 'listActiveCountries',
		tag,
		summary: 'List the countries that are offered for choice',
		access: 'public',
		query: activeCountryQuery,
		output: countryPage,
		message: 'Active countries',
		etag: 'content',
		cacheControl: listCacheControl,
		handler: ({ query }, { db }) => listCountries(db, { ...query, isActive: true }),
	}),
	route({
		method: 'get',
		path: `${path}/by-code/{code}`,
		operationId: 'getCountryByCode',
		tag,
		summary: 'Find a country by any of its codes',
		description:
			'ISO 3166-1 alpha-2, alpha-3, numeric, or IOC, in either case. Where ISO and the IOC give the same letters to two countries, it is the one of ISO: BRN is Brunei, not Bahrain.',
		access: 'public',
		params: countryCodeParameters,
		output: country,
		message: 'Country',
		// Not the version alone: the code may have become another country's, of the same version.
		etag: 'shownVersion',
		cacheControl: recordCacheControl,
		handler: ({ params }, { db }) => getCountryByCode(db, params.code),
	}),
	route({
		method: 'get',
		path: `${path}/{id}`,
		operationId: 'getCountry',
		tag,
		summary: 'Get a country',
		access: 'public',
		params: idParameters,
		output: country,
		message: 'Country',
		etag: 'version',
		cacheControl: recordCacheControl,
		handler: ({ params }, { db }) => getCountry(db, params.id),
	}),
];

const writing: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'post',
		path,
		operationId: 'createCountry',
		tag,
		summary: 'Add a country',
		access: officersOnly,
		body: countryBody,
		idempotent: true,
		output: country,
		status: 201,
		message: 'Country created',
		location: ({ id }) => `${path}/${id}`,
		etag: 'version',
		errors: errorsNamed(...taken),
		handler: (request, deps) =>
			createOnce(deps, 'createCountry', request, (transaction) => insertCountry(transaction, request.body)),
	}),
	route({
		method: 'put',
		path: `${path}/{id}`,
		operationId: 'replaceCountry',
		tag,
		summary: 'Replace a country',
		description:
			'A field that is left out gets its default. The alpha-2 and numeric codes of a country in use stay.',
		access: officersOnly,
		params: idParameters,
		body: countryBody,
		serverOwned: ['id', 'version'],
		output: country,
		message: 'Country updated',
		etag: 'version',
		precondition: true,
		errors: errorsNamed(...taken, 'COUNTRY_IN_USE'),
		handler: async (request, deps) => {
			const { params, body, ifMatch, serverOwned } = request;
			const seen = await getCountry(deps.db, params.id);
			requireVersion(ifMatch, seen.version);
			const lost = lostCodes(countryReference(seen), countryReference({ ...seen, ...body }));
			if (lost !== undefined) await requireUnusedElsewhere(deps, lost, codeInUse, request);
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockCountry(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				refuseServerOwnedChanges(serverOwned, stored);
				return updateCountry(transaction, params.id, body);
			});
		},
	}),
	route({
		method: 'delete',
		path: `${path}/{id}`,
		operationId: 'deleteCountry',
		tag,
		summary: 'Delete a country that nothing refers to',
		description: 'A country in use is taken out of use by `isActive: false`.',
		access: officersOnly,
		params: idParameters,
		output: country,
		message: 'Country deleted',
		precondition: true,
		errors: errorsNamed('COUNTRY_IN_USE'),
		handler: async (request, deps) => {
			const { params, ifMatch } = request;
			const seen = await getCountry(deps.db, params.id);
			requireVersion(ifMatch, seen.version);
			await requireUnusedElsewhere(deps, countryReference(seen), { code: 'COUNTRY_IN_USE' }, request);
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockCountry(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				await deleteCountry(transaction, params.id);
				return stored;
			});
		},
	}),
];

export const countryRoutes: readonly Route<MasterdataDeps>[] = [...reading, ...writing];
