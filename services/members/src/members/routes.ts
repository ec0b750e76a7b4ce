import { officersOnly, type Route } from '@paddock/service';
import { type MembersDeps, route, update } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { approveMember, deleteMember, suspendMember, takeStep } from './change-state.ts';
import { createMember } from './create-member.ts';
import { duplicateQuery, suspensionBody } from './query-schemas.ts';
import { changeMember } from './replace-member.ts';
import { member, memberBody } from './schemas.ts';

const path = '/api/members';
const refused = [
	'FORBIDDEN',
	'OUT_OF_SCOPE',
	'MEMBER_NOT_ACTIVE',
	'MEMBERSHIP_NUMBER_TAKEN',
	'FEDERATION_NUMBER_TAKEN',
	'FEI_ID_TAKEN',
	'POSSIBLE_DUPLICATE',
	'GUARDIAN_REQUIRED',
] as const;

export const memberWritingRoutes: readonly Route<MembersDeps>[] = [
	route({
		method: 'post',
		path,
		operationId: 'createMember',
		writers: 'activeMembers',
		summary: 'Add a member',
		description:
			'For the federation’s office, and for officials in their clubs. The new member is PENDING approval. Without a membership number the next one of the home club is assigned; without a home club, the next of the federation. Only the office sets notes, fee and the numbers of federation and FEI; only the member, a guardian or the office sets consents. POSSIBLE_DUPLICATE: a member of the same name and birth date exists. If the caller may not see that member, the record is created and marked for the office. Callers need an active membership of their own, except the office and accounts without a member record.',
		access: { roles: ['CLUB_OFFICIAL', 'FEDERATION_OFFICER', 'ADMIN'] },
		query: duplicateQuery,
		body: memberBody,
		idempotent: true,
		output: member,
		status: 201,
		message: 'Member created',
		location: ({ id }) => `${path}/${id}`,
		etag: 'shownVersion',
		errors: errorsNamed(...refused, 'MEMBERSHIP_NUMBERS_USED_UP'),
		handler: createMember,
	}),
	...update({
		path: `${path}/{id}`,
		operationId: 'replaceMember',
		writers: 'activeMembersOrSelf',
		summary: 'Change a member',
		description:
			'Members can change address, e-mail, phone, emergency contact and consents of their own record, guardians those of a member under 18, officials the other fields of their clubs’ members except notes, fee, consents, the numbers of federation and FEI, and, once the member is approved, the birth date and the link to a guardian’s record. An official’s own record cannot be a guardian that the official sets. Callers need an active membership of their own, except the office and accounts without a member record; a member whose approval is pending changes contact data and consents of the own record. Fields that the caller may not change must be omitted or equal the stored values.',
		access: 'signedIn',
		query: duplicateQuery,
		body: memberBody,
		output: member,
		message: 'Member updated',
		etag: 'shownVersion',
		errors: errorsNamed(...refused, 'MEMBER_INACTIVE'),
		handler: changeMember,
	}),
	route({
		method: 'delete',
		path: `${path}/{id}`,
		operationId: 'deleteMember',
		writers: 'office',
		summary: 'Delete a member',
		description:
			'The record becomes INACTIVE and can be restored; its numbers are never assigned again. Repeating the request changes nothing. Refused while the member has entries for future events or owns horses.',
		access: officersOnly,
		output: member,
		message: 'Member deleted',
		etag: 'shownVersion',
		precondition: true,
		errors: errorsNamed('MEMBER_HAS_OPEN_ENTRIES', 'MEMBER_OWNS_HORSES'),
		handler: deleteMember,
	}),
];

const shared = {
	method: 'post',
	access: officersOnly,
	output: member,
	etag: 'shownVersion',
	precondition: true,
	errors: errorsNamed('ILLEGAL_STATE_TRANSITION'),
} as const;

export const memberStateRoutes: readonly Route<MembersDeps>[] = [
	route({
		...shared,
		path: `${path}/{id}/approve`,
		operationId: 'approveMember',
		writers: 'office',
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
		path: `${path}/{id}/suspend`,
		operationId: 'suspendMember',
		writers: 'office',
		summary: 'Suspend a member: ACTIVE → SUSPENDED',
		description: 'With a last day the suspension ends by itself on the day after.',
		body: suspensionBody,
		message: 'Member suspended',
		handler: suspendMember,
	}),
	route({
		...shared,
		path: `${path}/{id}/reinstate`,
		operationId: 'reinstateMember',
		writers: 'office',
		summary: 'End a suspension: SUSPENDED → ACTIVE',
		message: 'Member reinstated',
		handler: (request, deps) => takeStep('reinstate', request, deps),
	}),
	route({
		...shared,
		path: `${path}/{id}/restore`,
		operationId: 'restoreMember',
		writers: 'office',
		summary: 'Undo a deletion: INACTIVE → as before',
		message: 'Member restored',
		handler: (request, deps) => takeStep('restore', request, deps),
	}),
];
