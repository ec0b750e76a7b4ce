import {
	collectionParameters,
	filterValues,
	id,
	instant,
	pageSchema,
	recordTimes,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { owner } from './owner-schemas.ts';
import { transfer } from './schemas.ts';

const transferStatus = z.enum(['PENDING', 'COMPLETED', 'DECLINED', 'LAPSED', 'EXPIRED']).meta({
	id: 'OwnershipTransferStatus',
	description: 'LAPSED: the ownership changed in another way. EXPIRED: not all owners confirmed in time.',
});

const confirmation = z
	.strictObject({
		memberId: id.describe('UUID of the owner.'),
		confirmedAt: instant.nullable().describe('When the owner confirmed it, in UTC; null before.'),
	})
	.meta({ id: 'TransferConfirmation', description: 'Confirmation by one present owner.' });

const example = {
	id: '7c1d2f3a-4b5c-4d6e-8f70-8192a3b4c5d6',
	horseId: '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80',
	from: '2026-02-01',
	owners: [{ memberId: '0b9f3f55-1f0c-4f7e-9d7c-1f2e3d4c5b6a', externalParty: null, sharePercent: null }],
	status: 'PENDING',
	requestedBy: '9e3f405c-6d7e-4f80-8192-a3b4c5d6e7f8',
	requestedByMemberId: '1c0a4a66-2a1d-4a8f-8e8d-2a3f4e5d6c7b',
	confirmations: [
		{ memberId: '1c0a4a66-2a1d-4a8f-8e8d-2a3f4e5d6c7b', confirmedAt: '2026-02-01T09:00:00.000Z' },
		{ memberId: '2d1b5b77-3b2e-4b90-9f9e-3b405f6e7d8c', confirmedAt: null },
	],
	expiresAt: '2026-02-15T09:00:00.000Z',
	endedAt: null,
	endedByMemberId: null,
	createdAt: '2026-02-01T09:00:00.000Z',
	updatedAt: '2026-02-01T09:00:00.000Z',
	version: 1,
};

export const ownershipTransfer = z
	.strictObject({
		id,
		horseId: id.describe('UUID of the horse.'),
		from: transfer.shape.from,
		owners: z.array(owner).describe('New owners.'),
		status: transferStatus,
		requestedBy: id.describe('UUID of the account that requested it.'),
		requestedByMemberId: id
			.nullable()
			.describe(
				'UUID of the member who requested it, or for whom a guardian did; null if the account has no member.',
			),
		confirmations: z.array(confirmation).describe('One per owner at the time of the request.'),
		expiresAt: instant.describe('When it expires unless all owners confirm it, in UTC.'),
		endedAt: instant.nullable().describe('When it was completed, declined or lapsed, in UTC; null before.'),
		endedByMemberId: id
			.nullable()
			.describe(
				'UUID of the owner who completed or declined it, or for whom a guardian did; null otherwise.',
			),
		...recordTimes,
		version,
	})
	.meta({ id: 'OwnershipTransfer', description: 'A transfer that present owners confirm.', example });

export type OwnershipTransfer = z.output<typeof ownershipTransfer>;

export const ownershipTransferPage = pageSchema(ownershipTransfer).meta({ id: 'OwnershipTransferPage' });

export const transferParameters = z.strictObject({ id, transferId: id.describe('UUID of the transfer.') });

export type TransferIds = z.output<typeof transferParameters>;

export const transferQuery = z.strictObject({
	status: filterValues(transferStatus).optional().describe('Transfers in these statuses.'),
	...collectionParameters<never>({
		of: 'Transfer',
		text: 'Parts of the name or of any number of the horse; all words must match.',
		sort: [],
	}),
});

export type TransferQuery = z.output<typeof transferQuery>;
