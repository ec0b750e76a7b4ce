import { day, id, instant, line } from '@paddock/service';
import { z } from 'zod';
import { owner, ownersBody } from './owner.ts';
import { ownership } from './ownership.ts';

const horseId = '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80';
const party = (name: string) => ({
	memberId: null,
	externalParty: { name, countryCode: 'AT' },
	sharePercent: null,
});

/** Request body of a correction of the last period, by the office. */
export const correctionBody = z
	.strictObject({
		reason: line(1, 500),
		from: day
			.optional()
			.describe('The corrected first day; left out it stays. The first period begins with the registration.'),
		owners: ownersBody,
	})
	.meta({
		id: 'OwnershipCorrectionBody',
		example: {
			reason: 'Vertrag ohne Unterschrift der zweiten Eigentümerin',
			owners: [{ externalParty: { name: 'Hof Wiesengrund', countryCode: 'AT' } }],
		},
	});

export type CorrectionBody = z.output<typeof correctionBody>;

const correctedPeriod = z.strictObject({ from: day, owners: z.array(owner) });

export type CorrectedPeriod = z.output<typeof correctedPeriod>;

/** A stored correction: the period before and after. */
export const ownershipCorrection = z
	.strictObject({
		id,
		horseId: ownership.shape.horseId,
		reason: z.string(),
		before: correctedPeriod,
		after: correctedPeriod,
		correctedBy: id.describe('The user.'),
		correctedAt: instant,
	})
	.meta({
		id: 'OwnershipCorrection',
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
	.strictObject({ horseId: id, corrections: z.array(ownershipCorrection).describe('The latest first.') })
	.meta({ id: 'OwnershipCorrections', example: { horseId, corrections: [] } });
