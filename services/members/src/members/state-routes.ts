import { idParameters, officersOnly, type Route } from '@paddock/service';
import { type MembersDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { approveMember, suspendMember, takeStep } from './change-state.ts';
import { duplicateQuery, suspensionBody } from './query-schemas.ts';
import { member } from './schemas.ts';

const shared = {
	method: 'post',
	access: officersOnly,
	params: idParameters,
	output: member,
	etag: 'shownVersion',
	precondition: true,
	errors: errorsNamed('ILLEGAL_STATE_TRANSITION'),
} as const;

const path = '/api/members/{id}';

export const memberStateRoutes: readonly Route<MembersDeps>[] = [
	route({
		...shared,
		path: `${path}/approve`,
		operationId: 'approveMember',
		summary: 'Approve a member: PENDING → ACTIVE',
		description:
			'A suspected duplicate is refused with its candidates, until `confirmDuplicate=true` states that it is another person.',
		query: duplicateQuery,
		message: 'Member approved',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION', 'POSSIBLE_DUPLICATE'),
		handler: approveMember,
	}),
	route({
		...shared,
		path: `${path}/suspend`,
		operationId: 'suspendMember',
		summary: 'Suspend a member: ACTIVE → SUSPENDED',
		description: 'With a last day the suspension ends by itself on the day after.',
		body: suspensionBody,
		message: 'Member suspended',
		handler: suspendMember,
	}),
	route({
		...shared,
		path: `${path}/reinstate`,
		operationId: 'reinstateMember',
		summary: 'End a suspension: SUSPENDED → ACTIVE',
		message: 'Member reinstated',
		handler: (request, deps) => takeStep('reinstate', request, deps),
	}),
	route({
		...shared,
		path: `${path}/restore`,
		operationId: 'restoreMember',
		summary: 'Undo a deletion: INACTIVE → as before',
		message: 'Member restored',
		handler: (request, deps) => takeStep('restore', request, deps),
	}),
];
