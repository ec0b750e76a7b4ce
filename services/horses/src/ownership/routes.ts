import { isOfficer } from '@paddock/identity';
import { officersOnly, type Route } from '@paddock/service';
import { entrustedRoles, type HorsesDeps, path, recordCacheControl, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { horseReaders, isEntrusted, requireEntrusted } from '../horses/rules.ts';
import { getHorse, getHorseRow } from '../horses/store.ts';
import { correctOwnership } from './correct-ownership.ts';
import { confirmTransfer, declineTransfer, readTransfer } from './decide-transfer.ts';
import {
	correctionBody,
	ownership,
	ownershipCorrection,
	ownershipCorrections,
	ownershipQuery,
	transfer,
	transferBody,
} from './schemas.ts';
import { listCorrections, listPeriods } from './store.ts';
import { transferOwnership } from './transfer-ownership.ts';
import {
	ownershipTransfer,
	ownershipTransferPage,
	transferParameters,
	transferQuery,
} from './transfer-schemas.ts';
import { listTransfers } from './transfer-store.ts';

const transfersPath = `${path}/{id}/ownership/transfers` as const;

const listOfTransfers = {
	method: 'get',
	access: 'signedIn',
	readers: horseReaders,
	query: transferQuery,
	output: ownershipTransferPage,
	message: 'Transfers',
	cacheControl: recordCacheControl,
	mayLag: true,
} as const;

const oneTransfer = { params: transferParameters, output: ownershipTransfer, etag: 'shownVersion' } as const;

export const ownershipRoutes: readonly Route<HorsesDeps>[] = [
	route({
		method: 'get',
		path: `${path}/{id}/ownership`,
		operationId: 'getOwnership',
		summary: 'List the ownership periods of a horse',
		description: 'For those who are entrusted with the horse.',
		access: 'signedIn',
		query: ownershipQuery,
		output: ownership,
		message: 'Ownership',
		etag: 'content',
		cacheControl: recordCacheControl,
		errors: errorsNamed('OUT_OF_SCOPE'),
		readers: async ({ params, principal }, { db }) => {
			const horse = await getHorse(db, params.id, principal);
			requireEntrusted(principal, horse);
		},
		handler: async ({ params, query }, { db }) => ({
			horseId: params.id,
			periods: await listPeriods(db, params.id, query.on),
		}),
	}),
	route({
		method: 'post',
		path: `${path}/{id}/ownership`,
		operationId: 'transferHorse',
		writers: 'activeMembers',
		summary: 'Transfer a horse to new owners',
		description:
			'A transfer by the office or by a sole owner takes effect at once. One that a co-owner, the responsible person or an official of the horse’s club requests is PENDING until every present owner has confirmed it; a horse has at most one pending transfer, which expires after 14 days. If an owner is not a member, only the office can transfer the horse. The previous period ends on the day before `from`. If an owner leaves, a responsible person who is not among the new owners is replaced by the first new owner who is a member, and the club is cleared unless it is the home club of a new owner.',
		access: entrustedRoles,
		body: transferBody,
		idempotent: true,
		output: transfer,
		status: 201,
		message: 'Transfer recorded',
		location: ({ horseId, from, transferId }) =>
			transferId === null
				? `${path}/${horseId}/ownership?on=${from}`
				: `${path}/${horseId}/ownership/transfers/${transferId}`,
		errors: errorsNamed(
			'OUT_OF_SCOPE',
			'MEMBER_NOT_ACTIVE',
			'HORSE_INACTIVE',
			'OWNERSHIP_NOT_AFTER_PREVIOUS',
			'OWNERSHIP_AFTER_DEATH',
			'TRANSFER_PENDING',
			'TRANSFER_BY_OFFICE_ONLY',
		),
		handler: transferOwnership,
	}),
	route({
		method: 'post',
		path: `${path}/{id}/ownership/correct`,
		operationId: 'correctOwnership',
		writers: 'office',
		summary: 'Correct the last ownership period',
		description:
			'For the office, with a reason; deleted horses included. The former values are stored as a correction. A pending transfer lapses. Rights that came from removed owners end as in a transfer.',
		access: officersOnly,
		body: correctionBody,
		idempotent: true,
		precondition: true,
		output: ownershipCorrection,
		status: 201,
		message: 'Ownership corrected',
		location: ({ horseId }) => `${path}/${horseId}/ownership/corrections`,
		errors: errorsNamed('OWNERSHIP_NOT_AFTER_PREVIOUS', 'OWNERSHIP_AFTER_DEATH'),
		handler: correctOwnership,
	}),
	route({
		method: 'get',
		path: `${path}/{id}/ownership/corrections`,
		operationId: 'listOwnershipCorrections',
		readers: 'office',
		summary: 'List the corrections of a horse’s ownership',
		access: officersOnly,
		output: ownershipCorrections,
		message: 'Corrections',
		etag: 'content',
		cacheControl: recordCacheControl,
		handler: async ({ params, principal }, { db }) => {
			const { id: horseId } = await getHorseRow(db, params.id, principal);
			return { horseId, corrections: await listCorrections(db, horseId) };
		},
	}),
	route({
		...listOfTransfers,
		path: `${path}/transfers`,
		operationId: 'listTransfers',
		summary: 'List the transfers of horses that concern the caller',
		description:
			'Transfers that the caller requested, must confirm or receives a horse by; the office gets all. The latest come first. Transfers that took effect at once are not listed.',
		handler: ({ query, viewer: { principal, scope }, now }, { db }) =>
			listTransfers(db, { partyOf: isOfficer(principal) ? undefined : principal, scope }, query, now),
	}),
	route({
		...listOfTransfers,
		path: transfersPath,
		operationId: 'listHorseTransfers',
		summary: 'List the transfers of a horse',
		description:
			'Callers who are entrusted with the horse get all transfers, others those that concern them.',
		handler: async ({ params, query, viewer: { principal, scope }, now }, { db }) => {
			const horse = await getHorse(db, params.id, principal);
			const partyOf = isEntrusted(principal, horse) ? undefined : principal;
			return listTransfers(db, { horseId: horse.id, partyOf, scope }, query, now);
		},
	}),
	route({
		...oneTransfer,
		method: 'get',
		path: `${transfersPath}/{transferId}`,
		operationId: 'getTransfer',
		summary: 'Get a transfer of a horse',
		access: 'signedIn',
		message: 'Transfer',
		cacheControl: recordCacheControl,
		readers: readTransfer,
		handler: ({ viewer: transfer }) => transfer,
	}),
	route({
		...oneTransfer,
		method: 'post',
		path: `${transfersPath}/{transferId}/confirm`,
		operationId: 'confirmTransfer',
		writers: 'activeMembers',
		summary: 'Confirm a transfer as an owner',
		description:
			'The last of the owners’ confirmations completes the transfer; the office’s confirmation completes it at once.',
		access: entrustedRoles,
		message: 'Transfer confirmed',
		precondition: true,
		errors: errorsNamed(
			'OUT_OF_SCOPE',
			'MEMBER_NOT_ACTIVE',
			'TRANSFER_NOT_PENDING',
			'NEW_OWNER_UNKNOWN',
			'HORSE_INACTIVE',
			'OWNERSHIP_NOT_AFTER_PREVIOUS',
			'OWNERSHIP_AFTER_DEATH',
		),
		handler: confirmTransfer,
	}),
	route({
		...oneTransfer,
		method: 'post',
		path: `${transfersPath}/{transferId}/decline`,
		operationId: 'declineTransfer',
		writers: 'activeMembers',
		summary: 'Decline a transfer',
		description: 'For owners who must confirm it, the requester and the office. The transfer ends.',
		access: entrustedRoles,
		message: 'Transfer declined',
		precondition: true,
		errors: errorsNamed('OUT_OF_SCOPE', 'MEMBER_NOT_ACTIVE', 'TRANSFER_NOT_PENDING'),
		handler: declineTransfer,
	}),
];
