import { id, line } from '@paddock/service';
import { z } from 'zod';
import { entryCheckCodes } from '../entries/entry-check.ts';
import { entryTypes, shownEntryStatuses } from '../entries/entry-status.ts';
import { cents } from './event-fields.ts';

export const entryType = z
	.enum(entryTypes, `must be one of ${entryTypes.join(', ')}`)
	.describe('LATE: made by the organiser after the entry deadline, for the surcharge.');

export const entryCheck = z
	.strictObject({
		code: z
			.enum(entryCheckCodes)
			.describe(
				'RIDER_NOT_ELIGIBLE and HORSE_NOT_ELIGIBLE stand for everything about a rider or horse that the caller does not act for, an unknown id included.',
			),
		level: z.enum(['ERROR', 'WARNING']).describe('An ERROR refuses the entry, a WARNING stays on it.'),
		message: z.string().describe('For people.'),
	})
	.meta({ id: 'EntryCheck' });

export const amountDue = z
	.int()
	.min(0)
	.describe(
		'Cents: entry fee, start fees and for a late entry the surcharge. A place that is withdrawn after the entry deadline stays due in full; entries that end otherwise, or that were never confirmed, owe nothing.',
	);

export const entryBodyExample = {
	riderMemberId: '8d3e5a10-5b1c-4c8e-9a52-2f9d1c7b6a01',
	horseId: '3b7f0c2d-6e4a-4d0b-8c11-7a5e9f2d4b02',
	starts: [{ competitionId: 'c4a9e6d1-2b3f-4e57-9d80-5f1a7c3e8b03' }],
};

export const entryCheckExample = {
	code: 'FEE_UNPAID' as const,
	level: 'WARNING' as const,
	message: 'The registration fee of Lärchenglut is not paid for 2026.',
};

const startsMax = 20;

const starts = z
	.array(z.strictObject({ competitionId: id }).meta({ id: 'StartBody' }))
	.min(1, 'must name at least one competition')
	.max(startsMax, `must name at most ${startsMax} competitions`)
	.refine(namesEachOnce, 'must name each competition once')
	.meta({ uniqueItems: true });

function namesEachOnce(list: readonly { readonly competitionId: string }[]): boolean {
	return new Set(list.map(({ competitionId }) => competitionId)).size === list.length;
}

/** Request body of a new entry. */
export const entryBody = z
	.strictObject({
		riderMemberId: id,
		horseId: id,
		starts,
		type: entryType.optional().describe('As the time says where it is left out.'),
	})
	.meta({ id: 'EntryBody', example: entryBodyExample });

export type EntryBody = z.output<typeof entryBody>;

/** The starts as clients read them: status and fee are set by the server and ignored in requests. */
const changedStarts = z
	.array(
		z
			.strictObject({
				competitionId: id,
				status: z.enum(shownEntryStatuses).optional(),
				startFee: cents.optional(),
			})
			.meta({ id: 'StartChange' }),
	)
	.min(1, 'must name at least one competition')
	.max(startsMax, `must name at most ${startsMax} competitions`)
	.refine(namesEachOnce, 'must name each competition once');

/** Request body of a change. */
export const entryChangeBody = z
	.strictObject({ starts: changedStarts.describe('All competitions that the entry is for.') })
	.meta({ id: 'EntryChange', example: { starts: entryBodyExample.starts } });

export type EntryChangeBody = z.output<typeof entryChangeBody>;

/** Result of a preview. */
export const entryVerdict = z
	.strictObject({
		acceptable: z.boolean().describe('False when any check is an ERROR.'),
		checks: z.array(entryCheck),
		amountDue: amountDue.describe(
			'Cents; for the competitions that the event has, once the entry is confirmed where that is needed.',
		),
		currency: z.literal('EUR'),
		wouldBe: z
			.enum(['PENDING_CONFIRMATION', 'ACCEPTED', 'WAITLISTED'])
			.nullable()
			.describe('As places are at this moment; null where the entry is not acceptable.'),
	})
	.meta({
		id: 'EntryVerdict',
		example: {
			acceptable: true,
			checks: [entryCheckExample],
			amountDue: 4300,
			currency: 'EUR',
			wouldBe: 'ACCEPTED',
		},
	});

export type EntryVerdict = z.output<typeof entryVerdict>;

/** Reason of a rejection; shown to the rider. */
export const rejection = z.strictObject({ reason: line(3, 500) }).meta({
	id: 'EntryRejection',
	example: { reason: 'Das Pferd ist auf dieser Veranstaltung nicht zugelassen.' },
});
