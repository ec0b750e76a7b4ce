import { idParameters, type Route } from '@paddock/service';
import { type HorsesDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { generationsDefault, pedigree, pedigreeQuery } from '../pedigree/schemas.ts';
import { listPedigree } from '../pedigree/store.ts';
import { pedigreeOf } from '../pedigree/view.ts';
import { findingScopeOf, seesIdentifiers } from './access.ts';
import { numberParameters } from './identifiers.ts';
import { listOffspring } from './list-store.ts';
import { getHorseByNumber } from './number-store.ts';
import { presentPage } from './present-page.ts';
import { offspringQuery } from './query-schemas.ts';
import { path, recordCacheControl } from './route-parts.ts';
import { horsePage, horseView } from './schemas.ts';
import { completeHorse, getHorse, getHorseRow } from './store.ts';
import { horseViewFor } from './view.ts';

const record = {
	method: 'get',
	access: 'signedIn',
	params: idParameters,
	cacheControl: recordCacheControl,
} as const;

export const readingRoutes: readonly Route<HorsesDeps>[] = [
	route({
		...record,
		path: `${path}/{id}`,
		operationId: 'getHorse',
		summary: 'Get a horse',
		output: horseView,
		message: 'Horse',
		etag: 'shownVersion',
		handler: async ({ params, principal }, { db }) =>
			horseViewFor(principal, await getHorse(db, params.id, principal)),
	}),
	route({
		method: 'get',
		path: `${path}/by-number/{number}`,
		operationId: 'getHorseByNumber',
		summary: 'Find a horse by any of its numbers',
		description:
			'UELN, microchip, federation horse number, head number, FEI ID or passport number, in that order, with or without blanks . - : Accounts without a member find a horse by the numbers that they are shown.',
		access: 'signedIn',
		params: numberParameters,
		output: horseView,
		message: 'Horse',
		etag: 'shownVersion',
		cacheControl: recordCacheControl,
		errors: errorsNamed('NUMBER_AMBIGUOUS'),
		handler: async ({ params, principal }, { db }) => {
			const row = await getHorseByNumber(db, params.number, findingScopeOf(principal));
			return horseViewFor(principal, await completeHorse(db, row));
		},
	}),
	route({
		...record,
		path: `${path}/{id}/pedigree`,
		operationId: 'getPedigree',
		summary: 'Get a horse’s ancestors',
		query: pedigreeQuery,
		output: pedigree,
		message: 'Pedigree',
		etag: 'content',
		handler: async ({ params, query, principal }, { db }) => {
			const { generations = generationsDefault } = query;
			const { id } = await getHorseRow(db, params.id, principal);
			const rows = await listPedigree(db, id, generations);
			const shown = seesIdentifiers(principal) ? rows : rows.map((row) => ({ ...row, ueln: null }));
			return pedigreeOf(shown, generations);
		},
	}),
	route({
		...record,
		path: `${path}/{id}/offspring`,
		operationId: 'listOffspring',
		summary: 'List the offspring of a horse',
		query: offspringQuery,
		output: horsePage,
		message: 'Offspring',
		mayLag: true,
		handler: async ({ params, query, principal }, { db }) => {
			const { id } = await getHorseRow(db, params.id, principal);
			return presentPage(db, await listOffspring(db, id, query), principal);
		},
	}),
];
