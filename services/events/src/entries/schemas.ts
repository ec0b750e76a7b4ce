import { demoHorses, demoMembers } from '@paddock/demo';
import {
	collectionParameters,
	filterValues,
	id,
	instant,
	line,
	queryBoolean,
	renamed,
} from '@paddock/service';
import { z } from 'zod';
import { entryTypes, shownEntryStatuses, systemCheckCodes } from '../enumerations.ts';
import { cents, currency } from '../events/schemas.ts';
import { entryRuleCodes } from '../rules/catalogue.ts';
import { ruleReference } from '../rules/schemas.ts';

export const entryStatus = z.enum(shownEntryStatuses).meta({
	id: 'EntryStatus',
	description:
		'An entry is decided at once: ACCEPTED if the event and all of its competitions have room, else WAITLISTED as a whole. PENDING_CONFIRMATION: made by a person who does not act for both rider and horse; it has no place until the missing side confirms it. DECLINED: that side refused it. EXPIRED: it was not confirmed before the entry deadline or the first day, or it had no place when the event ended; nothing is due.',
});

export const entryType = z.enum(entryTypes).meta({
	id: 'EntryType',
	description: 'LATE: made by the organiser after the entry deadline, for the surcharge.',
});

const overrideReason = line(3, 500).describe('Why the finding is passed.');

const override = z
	.strictObject({
		reason: overrideReason,
		byName: z.string().describe('Who passed it; the office or the organiser if the account has no member.'),
		at: instant.describe('When.'),
	})
	.meta({ id: 'EntryCheckOverride', description: 'A finding that was passed at the desk.' });

export const storedOverride = override
	.extend({ code: z.string().describe('Code of the finding, see EntryCheckCode.') })
	.meta({ id: 'EntryOverride', description: 'A finding about an entry that was passed at the desk.' });

const overrides = z
	.array(
		z
			.strictObject({
				code: z.string().min(1).max(60).describe('Code of an overridable finding, see EntryCheckCode.'),
				reason: overrideReason,
				byName: z.string().optional().describe('Ignored: as read.'),
				at: instant.optional().describe('Ignored with its override: as read.'),
			})
			.meta({ id: 'OverrideBody', description: 'Passes the findings with a code.' }),
	)
	.max(200)
	.optional()
	.describe(
		'Findings that the organiser or the office passes; others get 403. Findings that are not overridable stay errors; a code without a finding is ignored.',
	);

export const entryCheck = z
	.strictObject({
		code: z.enum([...systemCheckCodes, ...entryRuleCodes]).meta({
			id: 'EntryCheckCode',
			description:
				'RIDER_NOT_ELIGIBLE and HORSE_NOT_ELIGIBLE replace all details about a rider or horse that the caller does not act for, unknown ids included. DATE_CHANGED: the event or a competition of the entry was moved. NOT_RECHECKED: the entry could not be checked after a change of its event, and will be.',
		}),
		level: z.enum(['ERROR', 'WARNING']).meta({
			id: 'EntryCheckLevel',
			description:
				'An ERROR refuses a new entry, and stays on an entry that a change of its event made one that the rules forbid; a WARNING stays on the entry.',
		}),
		message: z.string().describe('Finding for people.'),
		rule: ruleReference
			.optional()
			.describe('The rule that is violated; absent if it is none of the federation.'),
		overridable: z
			.boolean()
			.optional()
			.describe('Whether organiser and office may pass the finding with a reason; absent without a rule.'),
		overridden: override.optional().describe('Who passed the finding, and why; it is a WARNING since then.'),
	})
	.meta({ id: 'EntryCheck', description: 'One finding about an entry.' });

export const amountDue = z
	.int()
	.min(0)
	.describe(
		'Amount due in cents, the sum of the ledger: entry fee, start fees, boxes, and for a late entry the surcharge. A waiting entry owes nothing until it gets a place. A place that is withdrawn after the entry deadline stays due in full, except until `freeWithdrawalUntil`; a cancelled competition takes away its start fee only, also from an entry that has no other; entries that end otherwise, or that were never confirmed, owe nothing.',
	);

/** For the second event of the demo data. */
export const entryBodyExample = {
	riderMemberId: demoMembers.eva.id,
	horseId: demoHorses.shared.id,
	starts: [{ competitionId: 'd4000002-0000-4000-8000-000000000002' }],
};

export const entryCheckExample = {
	code: 'FEE_UNPAID' as const,
	level: 'WARNING' as const,
	message: 'The registration fee of Lärchenglut is not paid for 2026.',
};

const startsMax = 20;

/** One to twenty starts, each in another competition. */
function startList<Item extends { readonly competitionId: string }>(item: z.ZodType<Item>) {
	return z
		.array(item)
		.min(1, 'must name at least one competition')
		.max(startsMax, `must name at most ${startsMax} competitions`)
		.refine(
			(list) => new Set(list.map(({ competitionId }) => competitionId)).size === list.length,
			'must name each competition once',
		);
}

/** Boxes that one entry may want: for the horse, and for equipment. */
export const boxes = z.int().min(0).max(10);

const competitionId = id.describe('UUID of a competition of the event.');

const starts = startList(
	z.strictObject({ competitionId }).meta({ id: 'StartBody', description: 'A start in one competition.' }),
).meta({ uniqueItems: true, description: 'Competitions that the entry is for.' });

export const entryBody = z
	.strictObject({
		riderMemberId: id.describe('UUID of the member who rides.'),
		horseId: id.describe('UUID of the horse.'),
		starts,
		boxes: boxes
			.optional()
			.describe('Number of boxes wanted; 0 if absent. The entry waits if the event has fewer left.'),
		type: entryType.optional().describe('Derived from the time if absent: LATE after the entry deadline.'),
		overrides,
	})
	.meta({
		id: 'EntryBody',
		description: 'One horse and one rider for competitions of an event.',
		example: entryBodyExample,
	});

export type EntryBody = z.output<typeof entryBody>;

/** The starts as clients read them: status and fee are set by the server and ignored in requests. */
const changedStarts = startList(
	z
		.strictObject({
			competitionId,
			status: entryStatus.optional().describe('Ignored: set by the server.'),
			startFee: cents.optional().describe('Ignored: set by the server.'),
		})
		.meta({ id: 'StartChange', description: 'A start in one competition, as read or new.' }),
);

export const entryChangeBody = z
	.strictObject({
		starts: changedStarts.describe('All competitions that the entry is for from now on.'),
		boxes: boxes.optional().describe('Number of boxes wanted; unchanged if absent.'),
		overrides,
	})
	.meta({
		id: 'EntryChange',
		description: 'The new starts of an entry.',
		example: { starts: entryBodyExample.starts },
	});

export const entryConfirmation = z
	.strictObject({ overrides })
	.meta({
		id: 'EntryConfirmation',
		description: 'Findings to pass; without them no body is needed.',
		example: { overrides: [{ code: 'HORSE_TOO_YOUNG', reason: 'Ausnahme des Verbandes vom 3. Mai.' }] },
	})
	.optional();

export type EntryConfirmation = z.output<typeof entryConfirmation>;

export type EntryOverrideBody = NonNullable<EntryBody['overrides']>[number];

export type EntryChangeBody = z.output<typeof entryChangeBody>;

export const swapBody = z
	.strictObject({
		riderMemberId: id.optional().describe('UUID of the new rider; absent = the rider stays.'),
		horseId: id.optional().describe('UUID of the new horse; absent = the horse stays.'),
		reason: line(3, 500).optional().describe('Reason, kept in the history of the entry.'),
		overrides,
	})
	.refine(
		({ riderMemberId, horseId }) => riderMemberId !== undefined || horseId !== undefined,
		'must name another rider or another horse',
	)
	.meta({
		id: 'EntrySwap',
		description: 'Another rider or another horse, or both.',
		example: { horseId: demoHorses.gelding.id, reason: 'Lahmheit, Attest liegt vor' },
	});

export type SwapBody = z.output<typeof swapBody>;

export const entryVerdict = z
	.strictObject({
		acceptable: z.boolean().describe('Whether the entry would be accepted: no check is an ERROR.'),
		checks: z.array(entryCheck).describe('All findings.'),
		amountDue: amountDue.describe(
			'Amount due in cents once the entry is confirmed and has a place, for those of the competitions that exist.',
		),
		currency,
		wouldBe: z
			.enum(['PENDING_CONFIRMATION', 'ACCEPTED', 'WAITLISTED'])
			.nullable()
			.describe('Status that the entry would have with the present places; null if it is not acceptable.'),
	})
	.meta({
		id: 'EntryVerdict',
		description: 'Result of checking an entry without submitting it.',
		example: {
			acceptable: true,
			checks: [entryCheckExample],
			amountDue: 4300,
			currency: 'EUR',
			wouldBe: 'ACCEPTED',
		},
	});

export type EntryVerdict = z.output<typeof entryVerdict>;

export const rejection = z
	.strictObject({ statusReason: renamed(line(3, 500).describe('Reason, shown to the rider.'), 'reason') })
	.meta({
		id: 'EntryRejection',
		description: 'Reason of a rejection.',
		example: { statusReason: 'Das Pferd ist auf dieser Veranstaltung nicht zugelassen.' },
	});

export type Rejection = z.output<typeof rejection>;

const collection = collectionParameters({
	of: 'Entry',
	text: 'Part of the name of the horse or of a rider who has confirmed, or a whole entry or head number.',
	sort: ['entryNumber', 'position', 'status', 'riderName', 'horseName'],
});

const needsAttention = queryBoolean
	.optional()
	.describe('true: open entries that no longer fit their event, or could not be checked; false: all others.');

const filters = {
	status: filterValues(entryStatus).optional().describe('Entries in these statuses.'),
	horseId: filterValues(id).optional().describe('Entries with these horses, by UUID.'),
	needsAttention,
	...collection,
	updatedSince: collection.updatedSince.meta({
		param: { componentName: 'EntryUpdatedSinceParameter' },
		description:
			'Changed at that instant or later. An entry that is EXPIRED by the clock, from the deadline, the first day or the end of its event on, is not changed by that.',
	}),
};

const riderMemberId = filterValues(id).optional().describe('Entries of these riders, by UUID of the member.');

export const eventEntriesQuery = z.strictObject({
	type: filterValues(entryType).optional().describe('Entries of these types.'),
	competitionId: filterValues(id).optional().describe('Entries with a start in these competitions, by UUID.'),
	riderMemberId,
	...filters,
});

export type EventEntriesQuery = z.output<typeof eventEntriesQuery>;

export const entriesQuery = z.strictObject({
	riderMemberId: renamed(riderMemberId, 'memberId'),
	clubId: filterValues(id)
		.optional()
		.describe('Entries whose rider belonged to one of these clubs at entry, by UUID.'),
	open: queryBoolean
		.optional()
		.describe(
			'true: entries that have a place or wait for one at an event that is not over; false: all others.',
		),
	...filters,
});

export type EntriesQuery = z.output<typeof entriesQuery>;

export const entriesFileQuery = z.strictObject({
	separator: z
		.enum(['comma', 'semicolon'], 'must be comma or semicolon')
		.optional()
		.describe(
			'comma if absent: RFC 4180 with a decimal point; semicolon: the form that spreadsheets in German-speaking countries open, with a decimal comma.',
		),
});
