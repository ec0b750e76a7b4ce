import { isOfficer } from '@paddock/identity';
import { officersOnly, type Route } from '@paddock/service';
import { entrustedRoles, type HorsesDeps, horseChange, path, recordCacheControl, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { getHorseRow } from '../horses/store.ts';
import {
	confirmDeath,
	listDeathDecisions,
	recordDeath,
	rejectDeath,
	reportDeath,
	undoDeath,
} from './change-death.ts';
import { deathDecisionBody, deathDecisions, deceaseBody } from './schemas.ts';

export const deathRoutes: readonly Route<HorsesDeps>[] = [
	route({
		...horseChange,
		path: `${path}/{id}/decease`,
		operationId: 'deceaseHorse',
		writers: 'activeMembers',
		summary: 'Report or record a horse’s death',
		description:
			'A request of the office records the death. A request of an owner, the responsible person or an official of the club is a report: the record shows it as `deathReport`, the status does not change, and the horse can be entered until the office confirms it.',
		access: entrustedRoles,
		body: deceaseBody,
		message: 'Death received',
		errors: errorsNamed(
			'OUT_OF_SCOPE',
			'MEMBER_NOT_ACTIVE',
			'ILLEGAL_STATE_TRANSITION',
			'OWNERSHIP_AFTER_DEATH',
			'DEATH_ALREADY_REPORTED',
		),
		handler: (request, deps) =>
			isOfficer(request.principal) ? recordDeath(request, deps) : reportDeath(request, deps),
	}),
	route({
		...horseChange,
		path: `${path}/{id}/confirm-death`,
		operationId: 'confirmHorseDeath',
		writers: 'office',
		summary: 'Confirm the reported death of a horse',
		access: officersOnly,
		message: 'Death confirmed',
		errors: errorsNamed('NO_DEATH_REPORTED', 'ILLEGAL_STATE_TRANSITION', 'OWNERSHIP_AFTER_DEATH'),
		handler: confirmDeath,
	}),
	route({
		...horseChange,
		path: `${path}/{id}/reject-death`,
		operationId: 'rejectHorseDeath',
		writers: 'office',
		summary: 'Reject the reported death of a horse',
		access: officersOnly,
		body: deathDecisionBody,
		message: 'Report of death rejected',
		errors: errorsNamed('NO_DEATH_REPORTED'),
		handler: rejectDeath,
	}),
	route({
		...horseChange,
		path: `${path}/{id}/undo-death`,
		operationId: 'undoHorseDeath',
		writers: 'office',
		summary: 'Undo the recorded death of a horse',
		description:
			'The horse gets its former status, and the reason is stored. The ownership must be corrected first if an owner is no longer a member; a responsible person who is no longer a member is cleared.',
		access: officersOnly,
		body: deathDecisionBody,
		message: 'Death undone',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION', 'OWNER_NOT_MEMBER', 'TOO_OLD_TO_LIVE', 'CONFLICT'),
		handler: undoDeath,
	}),
	route({
		method: 'get',
		path: `${path}/{id}/death-decisions`,
		operationId: 'listDeathDecisions',
		readers: 'office',
		summary: 'List the decisions on reported deaths of a horse',
		access: officersOnly,
		output: deathDecisions,
		message: 'Decisions',
		etag: 'content',
		cacheControl: recordCacheControl,
		handler: async ({ params, principal }, { db }) => {
			const { id: horseId } = await getHorseRow(db, params.id, principal);
			return { horseId, decisions: await listDeathDecisions(db, horseId) };
		},
	}),
];
