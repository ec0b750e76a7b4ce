import { id, instant, pageParameters, pageSchema, version } from '@paddock/service';
import { z } from 'zod';
import { owner } from './owner.ts';
import { transfer } from './ownership.ts';

/** As stored; a PENDING transfer past its expiry is shown as EXPIRED. */
export type StoredTransferStatus = z.output<typeof transferStatus>;

export const transferStatus = z.enum(['PENDING', 'COMPLETED', 'DECLINED', 'LAPSED', 'EXPIRED']);

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

/** A transfer that needs the present owners' confirmations. */
export const ownershipTransfer = z
	.strictObject({
		id,
		horseId: id,
		from: transfer.shape.from,
		owners: z.array(owner).describe('The new owners.'),
		status: transferStatus.describe(
			'LAPSED: the ownership changed in another way. EXPIRED: not all owners confirmed in time.',
		),
		requestedBy: id.describe('The user.'),
		requestedByMemberId: id.nullable().describe('Null where the account is linked to no member.'),
		confirmations: z
			.array(z.strictObject({ memberId: id, confirmedAt: instant.nullable() }))
			.describe('One of each owner at the time of the request.'),
		expiresAt: instant,
		endedAt: instant.nullable(),
		endedByMemberId: id.nullable().describe('The owner who completed or declined it.'),
		createdAt: instant,
		updatedAt: instant,
		version,
	})
	.meta({ id: 'OwnershipTransfer', example });

export type OwnershipTransfer = z.output<typeof ownershipTransfer>;

export const ownershipTransferPage = pageSchema(ownershipTransfer).meta({ id: 'OwnershipTransferPage' });

export const transferParameters = z.strictObject({ id, transferId: id });

export const transferQuery = z.strictObject({ status: transferStatus.optional(), ...pageParameters });

export type TransferQuery = z.output<typeof transferQuery>;
