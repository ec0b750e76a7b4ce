import { day, id } from '@paddock/service';
import { z } from 'zod';
import { owner, ownersBody } from './owner-schemas.ts';

const period = z
	.strictObject({
		from: day.describe('First day of the period.'),
		to: day
			.nullable()
			.describe('Last day of the period; null = until now. The next period begins on the following day.'),
		owners: z.array(owner).describe('Owners of the period.'),
	})
	.meta({ id: 'OwnershipPeriod', description: 'Owners from one day to another.' });

export type OwnershipPeriod = z.output<typeof period>;

const example = {
	from: '2026-02-01',
	to: null,
	owners: [
		{ memberId: null, externalParty: { name: 'Stall Federbusch', countryCode: 'DE' }, sharePercent: 60 },
		{ memberId: null, externalParty: { name: 'Hof Wiesengrund', countryCode: 'AT' }, sharePercent: 40 },
	],
};

const horseId = '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80';

export const ownership = z
	.strictObject({
		horseId: id.describe('UUID of the horse.'),
		periods: z.array(period).describe('Periods without gaps, the latest first.'),
	})
	.meta({
		id: 'Ownership',
		description: 'Owners of a horse since its registration.',
		example: { horseId, periods: [example] },
	});

export type Ownership = z.output<typeof ownership>;

export const ownershipQuery = z.strictObject({
	on: day.optional().describe('Only the period that holds this day; none before the registration.'),
});

export const transferBody = z
	.strictObject({
		from: day.describe('First day of the new owners; not in the future, and after the last transfer.'),
		owners: ownersBody,
	})
	.meta({
		id: 'TransferBody',
		description: 'New owners of a horse.',
		example: {
			from: example.from,
			owners: [
				{ externalParty: { name: 'Stall Federbusch', countryCode: 'DE' }, sharePercent: 60 },
				{ externalParty: { name: 'Hof Wiesengrund', countryCode: 'AT' }, sharePercent: 40 },
			],
		},
	});

export type TransferBody = z.output<typeof transferBody>;

export const transfer = z
	.strictObject({
		horseId: id.describe('UUID of the horse.'),
		...period.shape,
		status: z.enum(['COMPLETED', 'PENDING']).meta({
			id: 'TransferOutcome',
			description: 'PENDING: it takes effect when every present owner has confirmed it.',
		}),
		transferId: id.nullable().describe('UUID of the pending transfer; null if it is completed.'),
	})
	.meta({
		id: 'Transfer',
		extends: 'OwnershipPeriod',
		description: 'Result of a transfer of ownership.',
		example: { horseId, ...example, status: 'COMPLETED', transferId: null },
	});

export type Transfer = z.output<typeof transfer>;
