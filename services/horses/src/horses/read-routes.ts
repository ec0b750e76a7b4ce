import { historyRoute } from '@paddock/context';
import { apiError } from '@paddock/contract';
import { actsFor, clubsCovered, isOfficer } from '@paddock/identity';
import { type Call, idParameters, movedRoute, type Route } from '@paddock/service';
import { type HorsesDeps, path, recordCacheControl, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { generationsDefault, pedigree, pedigreeQuery } from '../pedigree/schemas.ts';
import { listPedigree } from '../pedigree/store.ts';
import { pedigreeOf, withoutIdentifiers } from '../pedigree/view.ts';
import { numberParameters } from './identifiers.ts';
import { listHorses, listOffspring, searchHorses } from './list-store.ts';
import { getHorseByNumber } from './number-store.ts';
import {
	activeHorseQuery,
	type HorseQuery,
	horseQuery,
	horseSearchQuery,
	offspringQuery,
} from './query-schemas.ts';
import { type HorseViewer, horseReaders, isEntrusted, seesIdentifiers } from './rules.ts';
import { horsePage, horseView, sportHorse } from './schemas.ts';
import { countHorses, horseStats } from './stats.ts';
import { completeHorse, getHorse, getHorseRow } from './store.ts';
import { horseViewFor, presentPage } from './view.ts';

const record = {
	method: 'get',
	access: 'signedIn',
	readers: horseReaders,
	cacheControl: recordCacheControl,
} as const;

/** What every signed-in caller may read: a buyer learns nothing of the former owners' affairs. */
const sportHistory: ReadonlySet<string> = new Set(Object.keys(sportHorse.shape));

export const readingRoutes: readonly Route<HorsesDeps>[] = [
	route({
		...record,
		path: `${path}/{id}`,
		operationId: 'getHorse',
		summary: 'Get a horse',
		output: horseView,
		message: 'Horse',
		etag: 'shownVersion',
		handler: async ({ params, viewer: { principal } }, { db }) =>
			horseViewFor(principal, await getHorse(db, params.id, principal)),
	}),
	historyRoute<HorsesDeps>({
		tag: 'horses',
		recordPath: `${path}/{id}`,
		noun: 'horse',
		access: 'signedIn',
		seen: async ({ params, principal }, { db }) => {
			const horse = await getHorse(db, params.id, principal);
			if (isOfficer(principal)) return 'all';
			if (!isEntrusted(principal, horse)) throw apiError('OUT_OF_SCOPE');
			return sportHistory;
		},
		errors: errorsNamed('OUT_OF_SCOPE'),
		description:
			'Owners, the responsible person and the officials of its club see changes of the fields of the sport view, without reasons and authors.',
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
		readers: horseReaders,
		handler: async ({ params, viewer }, { db }) => {
			const row = await getHorseByNumber(db, params.number, viewer.scope);
			return horseViewFor(viewer.principal, await completeHorse(db, row));
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
		handler: async ({ params, query, viewer: { principal } }, { db }) => {
			const { generations = generationsDefault } = query;
			const { id } = await getHorseRow(db, params.id, principal);
			const rows = await listPedigree(db, id, generations);
			const whole = pedigreeOf(rows, generations);
			return seesIdentifiers(principal) ? whole : withoutIdentifiers(whole);
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
		handler: async ({ params, query, viewer }, { db }) => {
			const { id } = await getHorseRow(db, params.id, viewer.principal);
			return presentPage(db, await listOffspring(db, id, query, viewer.scope), viewer.principal);
		},
	}),
];

const list = {
	method: 'get',
	access: 'signedIn',
	readers: horseReaders,
	output: horsePage,
	cacheControl: recordCacheControl,
	mayLag: true,
} as const;

export const listingRoutes: readonly Route<HorsesDeps>[] = [
	route({
		...list,
		path,
		operationId: 'listHorses',
		summary: 'List horses',
		description:
			'Horses that the caller is entrusted with are complete, others are in the sport view. With `ownerId` and `responsibleMemberId` members can list their own horses, guardians those of their wards, and officials those of the members of their clubs.',
		query: horseQuery,
		message: 'Horses',
		errors: errorsNamed('OUT_OF_SCOPE'),
		readers: (request, deps) => listReaders(request.query, request, deps),
		handler: async ({ query, viewer: { principal, scope } }, { db }) =>
			presentPage(db, await listHorses(db, query, scope), principal),
	}),
	movedRoute({
		path: `${path}/owner/{id}`,
		to: `${path}?ownerId={id}`,
		operationId: 'listHorsesOfOwner',
		tag: 'horses',
		access: 'signedIn',
		params: idParameters,
		deprecated: { since: '2026-11-22', sunset: '2027-12-01' },
	}),
	route({
		...list,
		path: `${path}/active`,
		operationId: 'listActiveHorses',
		summary: 'List the active horses',
		query: activeHorseQuery,
		message: 'Active horses',
		errors: errorsNamed('OUT_OF_SCOPE'),
		readers: (request, deps) => listReaders(request.query, request, deps),
		handler: async ({ query, viewer: { principal, scope } }, { db }) =>
			presentPage(db, await listHorses(db, { ...query, status: ['ACTIVE'] }, scope), principal),
	}),
	route({
		...list,
		path: `${path}/search`,
		operationId: 'searchHorses',
		summary: 'Search horses by name or number',
		description:
			'Case and diacritics do not matter, and ä = ae, ö = oe, ü = ue, ß = ss. Sire and year of birth distinguish horses of the same name. The office finds deleted horses too. Accounts without a member search only the numbers that they can read.',
		query: horseSearchQuery,
		message: 'Horses found',
		handler: async ({ query, viewer }, { db }) =>
			presentPage(db, await searchHorses(db, query, viewer.scope), viewer.principal),
	}),
	route({
		method: 'get',
		path: `${path}/stats`,
		operationId: 'getHorseStats',
		readers: 'everyone',
		summary: 'Count the horses',
		access: 'signedIn',
		output: horseStats,
		message: 'Horse statistics',
		cacheControl: recordCacheControl,
		mayLag: true,
		handler: ({ now }, { db }) => countHorses(db, now),
	}),
];

/** For officials also the horses of their clubs' members. @throws ApiError OUT_OF_SCOPE, also for an unknown member. */
async function listReaders(
	{ ownerId, responsibleMemberId, status, deathReported }: HorseQuery,
	call: Call,
	{ directory }: Pick<HorsesDeps, 'directory'>,
): Promise<HorseViewer> {
	const { principal } = call;
	const viewer = horseReaders(call);
	if (isOfficer(principal)) return viewer;
	if (status?.includes('INACTIVE'))
		throw apiError('OUT_OF_SCOPE', { message: 'Deleted horses are for the office only.' });
	if (deathReported !== undefined)
		throw apiError('OUT_OF_SCOPE', { message: 'Reported deaths are listed for the office only.' });
	const named = [...new Set([...(ownerId ?? []), ...(responsibleMemberId ?? [])])];
	const others = named.filter((id) => !actsFor(principal, id));
	if (others.length === 0) return viewer;
	const clubIds = clubsCovered(principal, 'CLUB_OFFICIAL');
	const members = clubIds.length === 0 ? undefined : await directory.members(others, call);
	const isOfOwnClub = (id: string) => {
		const member = members?.get(id);
		return member !== undefined && member.status !== 'INACTIVE' && clubIds.includes(member.homeClubId ?? '');
	};
	if (others.every(isOfOwnClub)) return viewer;
	throw apiError('OUT_OF_SCOPE', {
		message:
			'You can list your own horses and those of your wards, and as an official those of your clubs’ members.',
	});
}
