import { isOfficer } from '@paddock/identity';
import { idParameters, type Route } from '@paddock/service';
import { entrustedRoles, type HorsesDeps, path, recordCacheControl, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { horseReaders, isEntrusted } from '../horses/rules.ts';
import { getHorse } from '../horses/store.ts';
import { confirmTransfer, declineTransfer, readTransfer } from './decide-transfer.ts';
import {
	ownershipTransfer,
	ownershipTransferPage,
	transferParameters,
	transferQuery,
} from './transfer-schemas.ts';
import { listTransfers } from './transfer-store.ts';

const transfersPath = `${path}/{id}/ownership/transfers` as const;

const list = {
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

const reading: readonly Route<HorsesDeps>[] = [
	route({
		...list,
		path: `${path}/transfers`,
		operationId: 'listTransfers',
		summary: 'List the transfers of horses that concern the caller',
		description:
			'Transfers that the caller requested, must confirm or receives a horse by; the office gets all. The latest come first. Transfers that took effect at once are not listed.',
		handler: ({ query, viewer: { principal, scope }, now }, { db }) =>
			listTransfers(db, { partyOf: isOfficer(principal) ? undefined : principal, scope }, query, now),
	}),
	route({
		...list,
		path: transfersPath,
		operationId: 'listHorseTransfers',
		summary: 'List the transfers of a horse',
		description:
			'Callers who are entrusted with the horse get all transfers, others those that concern them.',
		params: idParameters,
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
];

const deciding: readonly Route<HorsesDeps>[] = [
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

export const transferRoutes: readonly Route<HorsesDeps>[] = [...reading, ...deciding];
