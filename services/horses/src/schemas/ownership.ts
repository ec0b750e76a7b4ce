import { day, id } from '@paddock/service';
import { z } from 'zod';
import { owner, ownersBody } from './owner.ts';

const period = z
	.strictObject({
		from: day.describe('The first day.'),
		to: day.nullable().describe('The last day; null = to this day. The next period begins on the day after.'),
		owners: z.array(owner),
	})
	.meta({ id: 'OwnershipPeriod' });

export type OwnershipPeriod = z.output<typeof period>;

const example = {
	from: '2026-02-01',
	to: null,
	owners: [
		{
			memberId: null,
			externalParty: { name: 'Stall Federbusch', countryCode: 'DE' },
			sharePercent: 60,
		},
		{ memberId: null, externalParty: { name: 'Hof Wiesengrund', countryCode: 'AT' }, sharePercent: 40 },
	],
};

const horseId = '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80';

/** Ownership periods of a horse. */
export const ownership = z
	.strictObject({ horseId: id, periods: z.array(period).describe('The latest first.') })
	.meta({ id: 'Ownership', example: { horseId, periods: [example] } });

export type Ownership = z.output<typeof ownership>;

export const ownershipQuery = z.strictObject({
	on: day.optional().describe('Only the period that holds this day; none before the registration.'),
});

/** A transfer to new owners. */
export const transferBody = z
	.strictObject({
		from: day.describe('The first day of the new owners; not in the future, and after the last transfer.'),
		owners: ownersBody,
	})
	.meta({
		id: 'TransferBody',
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
		horseId: id,
		...period.shape,
		status: z
			.enum(['COMPLETED', 'PENDING'])
			.describe('PENDING: it takes effect when every present owner has confirmed it.'),
		transferId: id.nullable().describe('Of a pending transfer.'),
	})
	.meta({ id: 'Transfer', example: { horseId, ...example, status: 'COMPLETED', transferId: null } });

export type Transfer = z.output<typeof transfer>;
