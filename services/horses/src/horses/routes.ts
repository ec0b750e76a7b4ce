import { line, officersOnly, type Route, renamed } from '@paddock/service';
import { z } from 'zod';
import { entrustedRoles, type HorsesDeps, horseChange, path, route, update } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { deletedHorses, deleteHorsesBody, horseBody, horseRegistration } from './body-schemas.ts';
import { changeStatus, deleteHorse, deleteHorses } from './change-horse.ts';
import { registerHorse } from './register-horse.ts';
import { changeHorseData } from './replace-horse.ts';
import { horse } from './schemas.ts';

const taken = [
	'UELN_TAKEN',
	'MICROCHIP_TAKEN',
	'FEDERATION_HORSE_NUMBER_TAKEN',
	'HEAD_NUMBER_TAKEN',
	'FEI_ID_TAKEN',
] as const;

const rules = [
	'OUT_OF_SCOPE',
	'MEMBER_NOT_ACTIVE',
	'INSUFFICIENT_IDENTIFICATION',
	'WRONG_PARENT_SEX',
	'PARENT_TOO_YOUNG',
] as const;

export const writingRoutes: readonly Route<HorsesDeps>[] = [
	route({
		method: 'post',
		path,
		operationId: 'registerHorse',
		writers: 'activeMembers',
		summary: 'Register a horse with its owners',
		description:
			'Members can register horses that they own or are responsible for, officials horses of their clubs, the office any. Federation, head and FEI numbers and fees are written by the office.',
		access: entrustedRoles,
		body: horseRegistration,
		idempotent: true,
		output: horse,
		status: 201,
		message: 'Horse registered',
		location: ({ id }) => `${path}/${id}`,
		etag: 'shownVersion',
		errors: errorsNamed(...rules, ...taken),
		handler: registerHorse,
	}),
	...update({
		path: `${path}/{id}`,
		operationId: 'replaceHorse',
		writers: 'activeMembers',
		summary: 'Change a horse’s data',
		description:
			'Owners change by a transfer, the status by its own operations. Only the office changes federationHorseNumber, headNumber, feiId and feePaidForYear; other callers omit them or send the stored values. responsibleMemberId is changed by the responsible person, a sole owner or the office. What identifies the horse (name, sex, birth, breed, UELN, microchip, passport, parents and breeder) is changed by a sole owner or the office only; other callers send the stored values.',
		access: entrustedRoles,
		body: horseBody,
		output: horse,
		message: 'Horse updated',
		etag: 'shownVersion',
		errors: errorsNamed(
			...rules,
			'PEDIGREE_CYCLE',
			...taken,
			'CHILD_WOULD_BREAK',
			'OWNERSHIP_BEFORE_BIRTH',
			'HORSE_INACTIVE',
			'IDENTITY_BY_OWNERS_ONLY',
		),
		handler: changeHorseData,
	}),
	route({
		method: 'delete',
		path: `${path}/{id}`,
		operationId: 'deleteHorse',
		writers: 'office',
		summary: 'Delete a horse',
		description:
			'The record becomes INACTIVE: the office can still read it, it stays in pedigrees, and its numbers are not free. Repeating the request changes nothing.',
		access: officersOnly,
		output: horse,
		message: 'Horse deleted',
		etag: 'shownVersion',
		precondition: true,
		errors: errorsNamed('HORSE_HAS_OPEN_ENTRIES', 'ILLEGAL_STATE_TRANSITION'),
		handler: (request, deps) => deleteHorse(request.params.id, request, deps),
	}),
	route({
		method: 'post',
		path: `${path}/batch-delete`,
		operationId: 'deleteHorses',
		writers: 'office',
		summary: 'Delete several horses',
		description:
			'Each as by `DELETE /api/horses/{id}`, regardless of its version. A refused horse is reported with its error code; the others are deleted. Repeating the request changes nothing more.',
		access: officersOnly,
		body: deleteHorsesBody,
		output: deletedHorses,
		message: ({ refused }) => (refused.length === 0 ? 'Horses deleted' : 'Some horses were not deleted'),
		handler: (request, deps) => deleteHorses(request.body.horseIds, request, deps),
	}),
];

const suspendBody = z
	.strictObject({
		statusReason: renamed(
			line(1, 200).describe('Reason, shown to those entrusted with the horse.'),
			'reason',
		),
	})
	.meta({
		id: 'SuspendHorseBody',
		description: 'Reason of a suspension.',
		example: { statusReason: 'Verdacht auf Influenza im Stall' },
	});

export const statusRoutes: readonly Route<HorsesDeps>[] = [
	route({
		...horseChange,
		path: `${path}/{id}/suspend`,
		operationId: 'suspendHorse',
		writers: 'office',
		summary: 'Suspend an active horse',
		access: officersOnly,
		body: suspendBody,
		message: 'Horse suspended',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION'),
		handler: (request, deps) =>
			changeStatus({ step: 'suspend', statusReason: request.body.statusReason }, request, deps),
	}),
	route({
		...horseChange,
		path: `${path}/{id}/retire`,
		operationId: 'retireHorse',
		writers: 'activeMembers',
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
		writers: 'office',
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
		writers: 'office',
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
		writers: 'office',
		summary: 'Restore a deleted horse',
		description:
			'The horse gets its former status. The ownership must be corrected first if an owner is no longer a member; a responsible person who is no longer a member is cleared.',
		access: officersOnly,
		message: 'Horse restored',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION', 'OWNER_NOT_MEMBER', 'CONFLICT'),
		handler: (request, deps) => changeStatus({ step: 'restore' }, request, deps),
	}),
];
