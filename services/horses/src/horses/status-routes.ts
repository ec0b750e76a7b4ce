import { line, officersOnly, type Route } from '@paddock/service';
import { z } from 'zod';
import { type HorsesDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { changeStatus } from './change-status.ts';
import { entrustedRoles, horseChange, path } from './route-parts.ts';

const suspendBody = z
	.strictObject({ reason: line(1, 200).describe('Reason, shown to those entrusted with the horse.') })
	.meta({
		id: 'SuspendHorseBody',
		description: 'Reason of a suspension.',
		example: { reason: 'Verdacht auf Influenza im Stall' },
	});

export const statusRoutes: readonly Route<HorsesDeps>[] = [
	route({
		...horseChange,
		path: `${path}/{id}/suspend`,
		operationId: 'suspendHorse',
		summary: 'Suspend an active horse',
		access: officersOnly,
		body: suspendBody,
		message: 'Horse suspended',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION'),
		handler: (request, deps) => changeStatus({ step: 'suspend', reason: request.body.reason }, request, deps),
	}),
	route({
		...horseChange,
		path: `${path}/{id}/retire`,
		operationId: 'retireHorse',
		summary: 'Retire an active horse from sport',
		description: 'For the responsible person, a sole owner and the office.',
		access: entrustedRoles,
		message: 'Horse retired',
		errors: errorsNamed('OUT_OF_SCOPE', 'MEMBER_NOT_ACTIVE', 'ILLEGAL_STATE_TRANSITION'),
		handler: (request, deps) => changeStatus({ step: 'retire' }, request, deps),
	}),
	route({
		...horseChange,
		path: `${path}/{id}/lapse`,
		operationId: 'lapseHorse',
		summary: 'Let the registration of an active horse lapse',
		description: 'When the fee of more than three years is unpaid.',
		access: officersOnly,
		message: 'Registration lapsed',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION', 'FEE_NOT_OVERDUE'),
		handler: (request, deps) => changeStatus({ step: 'lapse' }, request, deps),
	}),
	route({
		...horseChange,
		path: `${path}/{id}/reinstate`,
		operationId: 'reinstateHorse',
		summary: 'Make a suspended, retired or lapsed horse active again',
		description: 'A lapsed one when this year’s fee is paid.',
		access: officersOnly,
		message: 'Horse reinstated',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION', 'FEE_UNPAID'),
		handler: (request, deps) => changeStatus({ step: 'reinstate' }, request, deps),
	}),
	route({
		...horseChange,
		path: `${path}/{id}/restore`,
		operationId: 'restoreHorse',
		summary: 'Restore a removed horse',
		description:
			'The horse gets its former status. The ownership must be corrected first if an owner is no longer a member; a responsible person who is no longer a member is cleared.',
		access: officersOnly,
		message: 'Horse restored',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION', 'OWNER_NOT_MEMBER'),
		handler: (request, deps) => changeStatus({ step: 'restore' }, request, deps),
	}),
];
