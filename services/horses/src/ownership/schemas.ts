import { day, id, instant, line } from '@paddock/service';
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

const party = (name: string) => ({
	memberId: null,
	externalParty: { name, countryCode: 'AT' },
	sharePercent: null,
});

export const correctionBody = z
	.strictObject({
		reason: line(1, 500).describe('Reason, stored with the correction.'),
		from: day
			.optional()
			.describe('Corrected first day; unchanged if absent. The first period begins with the registration.'),
		owners: ownersBody,
	})
	.meta({
		id: 'OwnershipCorrectionBody',
		description: 'Correction of the last ownership period.',
		example: {
			reason: 'Vertrag ohne Unterschrift der zweiten Eigentümerin',
			owners: [{ externalParty: { name: 'Hof Wiesengrund', countryCode: 'AT' } }],
		},
	});

export type CorrectionBody = z.output<typeof correctionBody>;

const correctedPeriod = z
	.strictObject({
		from: day.describe('First day of the period.'),
		owners: z.array(owner).describe('Owners of the period.'),
	})
	.meta({ id: 'CorrectedPeriod', description: 'Ownership period before or after a correction.' });

export type CorrectedPeriod = z.output<typeof correctedPeriod>;

export const ownershipCorrection = z
	.strictObject({
		id,
		horseId: ownership.shape.horseId,
		reason: z.string().describe('Reason of the correction.'),
		before: correctedPeriod,
		after: correctedPeriod,
		correctedBy: id.describe('UUID of the account.'),
		correctedAt: instant.describe('When it was corrected, in UTC.'),
	})
	.meta({
		id: 'OwnershipCorrection',
		description: 'One correction of an ownership period.',
		example: {
			id: '8d2e3f4b-5c6d-4e7f-9081-92a3b4c5d6e7',
			horseId,
			reason: 'Vertrag ohne Unterschrift der zweiten Eigentümerin',
			before: { from: '2026-02-01', owners: [party('Stall Federbusch')] },
			after: { from: '2026-02-01', owners: [party('Hof Wiesengrund')] },
			correctedBy: '9e3f405c-6d7e-4f80-8192-a3b4c5d6e7f8',
			correctedAt: '2026-02-03T10:30:00.000Z',
		},
	});

export type OwnershipCorrection = z.output<typeof ownershipCorrection>;

export const ownershipCorrections = z
	.strictObject({
		horseId: ownership.shape.horseId,
		corrections: z.array(ownershipCorrection).describe('Corrections, the latest first.'),
	})
	.meta({
		id: 'OwnershipCorrections',
		description: 'Corrections of the ownership of a horse.',
		example: { horseId, corrections: [] },
	});
