import { idParameters, type Route } from '@paddock/service';
import { type HorsesDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { requireEntrusted } from '../horse-rules.ts';
import { completeHorse, getVisibleHorse } from '../repository/horses.ts';
import { listPeriods } from '../repository/ownership.ts';
import { ownership, ownershipQuery, transfer, transferBody } from '../schemas/ownership.ts';
import { transferOwnership } from '../transfer-ownership.ts';
import { entrustedRoles, path, recordCacheControl, tag } from './paths.ts';

export const ownershipRoutes: readonly Route<HorsesDeps>[] = [
	route({
		method: 'get',
		path: `${path}/{id}/ownership`,
		operationId: 'getOwnership',
		tag,
		summary: 'See who owned a horse when',
		description: 'For those who are entrusted with the horse.',
		access: 'signedIn',
		params: idParameters,
		query: ownershipQuery,
		output: ownership,
		message: 'Ownership',
		etag: 'content',
		cacheControl: recordCacheControl,
		errors: errorsNamed('OUT_OF_SCOPE'),
		handler: async ({ params, query, principal }, { db }) => {
			const horse = await completeHorse(db, await getVisibleHorse(db, params.id, principal));
			requireEntrusted(principal, horse);
			return { horseId: horse.id, periods: await listPeriods(db, horse.id, query.on) };
		},
	}),
	route({
		method: 'post',
		path: `${path}/{id}/ownership`,
		operationId: 'transferHorse',
		tag,
		summary: 'Transfer a horse to new owners',
		description: 'Periods are only ever added. The one before ends on the day before `from`.',
		access: entrustedRoles,
		params: idParameters,
		body: transferBody,
		idempotent: true,
		output: transfer,
		status: 201,
		message: 'Horse transferred',
		location: ({ horseId, from }) => `${path}/${horseId}/ownership?on=${from}`,
		errors: errorsNamed(
			'OUT_OF_SCOPE',
			'MEMBER_NOT_ACTIVE',
			'HORSE_REMOVED',
			'OWNERSHIP_NOT_AFTER_PREVIOUS',
			'OWNERSHIP_AFTER_DEATH',
		),
		handler: (request, deps) => transferOwnership(request.params.id, request.body, request, deps),
	}),
];
