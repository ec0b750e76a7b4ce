import { fail, type Page } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import type { Route } from '@paddock/service';
import { type HorsesDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { isOfficer } from '../horse-access.ts';
import { presentPage } from '../present-page.ts';
import { listHorses } from '../repository/horse-list.ts';
import { searchHorses } from '../repository/horse-search.ts';
import { getHorseStats } from '../repository/stats.ts';
import { type HorseView, horsePage } from '../schemas/horse.ts';
import { activeHorseQuery, type HorseQuery, horseQuery, horseSearchQuery } from '../schemas/horse-query.ts';
import { horseStats } from '../schemas/stats.ts';
import { viennaDay } from '../vienna-day.ts';
import { path, recordCacheControl, tag } from './paths.ts';

export const listingRoutes: readonly Route<HorsesDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listHorses',
		tag,
		summary: 'List horses',
		description: 'Those that the caller is entrusted with in full, the others in the sport view.',
		access: 'signedIn',
		query: horseQuery,
		output: horsePage,
		message: 'Horses',
		cacheControl: recordCacheControl,
		errors: errorsNamed('OUT_OF_SCOPE'),
		handler: ({ query, principal }, { db }) => listFor(principal, query, db),
	}),
	route({
		method: 'get',
		path: `${path}/active`,
		operationId: 'listActiveHorses',
		tag,
		summary: 'List the active horses',
		access: 'signedIn',
		query: activeHorseQuery,
		output: horsePage,
		message: 'Active horses',
		cacheControl: recordCacheControl,
		errors: errorsNamed('OUT_OF_SCOPE'),
		handler: ({ query, principal }, { db }) => listFor(principal, { ...query, status: 'ACTIVE' }, db),
	}),
	route({
		method: 'get',
		path: `${path}/search`,
		operationId: 'searchHorses',
		tag,
		summary: 'Search horses by name or number',
		description:
			'Case and diacritics do not matter, and ä = ae, ö = oe, ü = ue, ß = ss. Sire and year of birth tell namesakes apart. The office finds removed horses too.',
		access: 'signedIn',
		query: horseSearchQuery,
		output: horsePage,
		message: 'Horses found',
		cacheControl: recordCacheControl,
		handler: async ({ query, principal }, { db }) =>
			presentPage(db, await searchHorses(db, query, isOfficer(principal)), principal),
	}),
	route({
		method: 'get',
		path: `${path}/stats`,
		operationId: 'getHorseStats',
		tag,
		summary: 'Count the horses',
		access: 'signedIn',
		output: horseStats,
		message: 'Horse statistics',
		cacheControl: recordCacheControl,
		handler: ({ now }, { db }) =>
			inTransaction(db, (transaction) => getHorseStats(transaction, viennaDay(now)), {
				isolation: 'repeatable read',
			}),
	}),
];

async function listFor(
	principal: Principal,
	query: HorseQuery,
	db: HorsesDeps['db'],
): Promise<Page<HorseView>> {
	requireListable(principal, query);
	return presentPage(db, await listHorses(db, query), principal);
}

/** What somebody owns isn't for others to list, nor are removed horses. @throws ApiError OUT_OF_SCOPE */
function requireListable(principal: Principal, { ownerId, responsibleId, status }: HorseQuery): void {
	if (isOfficer(principal)) return;
	if (status === 'INACTIVE')
		throw fail('OUT_OF_SCOPE', { message: 'Removed horses are for the office only.' });
	const others = [ownerId, responsibleId].filter((id) => id !== undefined && id !== principal.memberId);
	if (others.length > 0) throw fail('OUT_OF_SCOPE', { message: 'You can list the horses of yourself only.' });
}
