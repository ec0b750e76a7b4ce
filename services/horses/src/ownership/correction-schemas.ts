import { day, id, instant, line } from '@paddock/service';
import { z } from 'zod';
import { owner, ownersBody } from './owner-schemas.ts';
import { ownership } from './schemas.ts';

const horseId = '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80';
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
