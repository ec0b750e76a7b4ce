import {
	changesAboutWithout,
	changesInvolving,
	changesMade,
	type Person,
	type PersonalData,
	repeatedRequests,
} from '@paddock/context';
import { type RawBuilder, sql } from 'kysely';
import type { EventsSchema } from './database-schema.ts';

const entered = { ground: 'contract', storedFor: 'as long as the results of the event' } as const;
const anonymousRider =
	'The entry stays with an anonymous rider: results, waiting list and accounts of the event depend on it.';
const rides = ({ memberId }: Person) => sql<boolean>`rider_member_id = ${memberId}::uuid`;
const inEntriesOf = ({ memberId }: Person) =>
	sql<boolean>`entry_id in (select id from entries where rider_member_id = ${memberId}::uuid)`;
const text = (value: string) => () => sql`${value}::text`;
const anonymousIf = (condition: RawBuilder<boolean>, column: RawBuilder<unknown>) =>
	sql`case when ${condition} then 'Anonymous' else ${column} end`;
const withoutOthers = (values: RawBuilder<unknown>) =>
	sql`${values} - 'overrides' - 'rider_guardian_id' - 'horse_keeper_ids' - 'entered_by'`;
/** The items of a JSON list of which a key has this value. */
const ownItems = (list: RawBuilder<unknown>, key: string, value: string | null) =>
	sql`(select coalesce(jsonb_agg(item), '[]') from jsonb_array_elements(${list}) as list (item) where item ->> ${key}::text = ${value}::text)`;
/** The same list, with another name in these items. */
const renamedItems = (list: RawBuilder<unknown>, key: string, value: string | null, name: string) => sql`(
	select coalesce(jsonb_agg(
		case when item ->> ${key}::text = ${value}::text then jsonb_set(item, array[${name}::text], '"Anonymous"') else item end order by place
	), '[]')
	from jsonb_array_elements(${list}) with ordinality as list (item, place)
)`;

/** See docs/privacy.md, which is generated from it. */
export const personalData: PersonalData<EventsSchema> = {
	changes: [
		changesAboutWithout(
			'Changes of the entries of a rider',
			({ memberId }) =>
				sql<boolean>`record_id in (select id::text from entries where rider_member_id = ${memberId}::uuid)`,
			// Who passed findings, and owners and guardian, are other persons.
			withoutOthers,
		),
		{
			...changesInvolving,
			purpose: 'Changes of the rider of an entry',
			of: ({ memberId }) =>
				sql<boolean>`${memberId}::text in (before ->> 'rider_member_id', after ->> 'rider_member_id')`,
			exported: ['recordType', 'recordId', 'rowId', 'operation', 'changedAt'],
			erasure: { before: () => sql`null`, after: () => sql`null`, author: () => sql`author - 'reason'` },
			kept: 'That something changed, and when, stays without the values.',
		},
		{
			...changesInvolving,
			purpose: 'Names of officials, and of those who passed findings, in changes of events and entries',
			of: ({ userId, memberId }) => sql<boolean>`(
				coalesce(before -> 'officials', '[]') @> jsonb_build_array(jsonb_build_object('memberId', ${memberId}::text))
				or coalesce(after -> 'officials', '[]') @> jsonb_build_array(jsonb_build_object('memberId', ${memberId}::text))
				or coalesce(before -> 'overrides', '[]') @> jsonb_build_array(jsonb_build_object('byUserId', ${userId}::text))
				or coalesce(after -> 'overrides', '[]') @> jsonb_build_array(jsonb_build_object('byUserId', ${userId}::text))
			)`,
			exported: ['recordType', 'recordId', 'changedAt'],
			erasure: {
				before: () => sql`before - 'officials' - 'overrides'`,
				after: () => sql`after - 'officials' - 'overrides'`,
			},
			kept: 'The other values of the change say nothing about the person.',
		},
		changesMade,
	],
	entries: [
		{
			...entered,
			purpose: 'Entries of a rider at events, with the data of that day',
			of: rides,
			exported: [
				'id',
				'eventId',
				'entryNumber',
				'type',
				'status',
				'statusReason',
				'position',
				'riderMemberId',
				'riderName',
				'riderNation',
				'riderClubId',
				'riderClubName',
				'riderAgeClasses',
				'horseId',
				'horseName',
				'horseHeadNumber',
				'judgedBy',
				'checks',
				'boxes',
				'isAdditional',
				'isConfirmed',
				'isHorseConfirmed',
				'createdAt',
				'updatedAt',
				'freeWithdrawalUntil',
				'vacatedAt',
			],
			// As the entry is shown: without a place it owes nothing.
			exportedAs: { amountDue: () => sql`case when status = 'WAITLISTED' then 0 else amount_due end` },
			withheld: {
				enteredBy: 'names an account, which may be that of another person',
				riderGuardianId: 'names another person',
				horseKeeperIds: 'names other persons',
				overrides: 'names officials and the office; the reason is shown with the entry',
				searchText: 'derived from the names of rider and horse',
			},
			impersonal: ['horseBirthYear', 'horseClubId', 'horseSireName', 'vacatedPlaces', 'version'],
			erasure: {
				riderName: text('Anonymous'),
				searchText: text(''),
				riderGuardianId: () => sql`null`,
				statusReason: () => sql`null`,
				// Derived from the date of birth.
				judgedBy: () => sql`judged_by - 'riderOfAgeAt'`,
				// Messages of findings quote the name.
				checks: () =>
					sql`replace(checks::text, trim(both '"' from to_json(rider_name)::text), 'Anonymous')::jsonb`,
			},
			kept: anonymousRider,
		},
		{
			...entered,
			purpose: 'Guardian of a minor on the day of entry',
			of: ({ memberId }) => sql<boolean>`rider_guardian_id = ${memberId}::uuid`,
			exported: ['id', 'eventId'],
			erasure: { riderGuardianId: () => sql`null` },
			kept: 'The entry is that of the minor.',
		},
		{
			...entered,
			purpose: 'Owners of a horse and the person responsible for it on the day of entry',
			of: ({ memberId }) => sql<boolean>`${memberId}::uuid = any (horse_keeper_ids)`,
			exported: ['id', 'eventId', 'horseId', 'horseName'],
			erasure: {},
			kept: 'Decides who reads the entry; the id is that of an anonymous person.',
		},
		{
			...entered,
			purpose: 'Entries that the account made',
			of: ({ userId }) => sql<boolean>`entered_by = ${userId}::uuid`,
			exported: ['id', 'eventId', 'createdAt'],
			erasure: {},
			kept: 'Shows who entered; the id is that of an anonymous account.',
		},
		{
			...entered,
			purpose: 'Findings that the account passed, with name and reason',
			of: ({ userId }) =>
				sql<boolean>`overrides @> jsonb_build_array(jsonb_build_object('byUserId', ${userId}::text))`,
			exported: ['id'],
			exportedAs: { overrides: ({ userId }) => ownItems(sql`overrides`, 'byUserId', userId) },
			erasure: { overrides: ({ userId }) => renamedItems(sql`overrides`, 'byUserId', userId, 'byName') },
			kept: 'The reason stays, for the accounts of the event.',
		},
	],
	starts: [
		{
			...entered,
			purpose: 'Starts of an entry',
			of: rides,
			exported: ['entryId', 'competitionId', 'horseId', 'riderMemberId', 'status', 'startFee'],
			erasure: {},
			kept: anonymousRider,
		},
	],
	entryActs: [
		{
			...entered,
			purpose: 'Who did what to an entry, and for whom',
			of: ({ userId, memberId }) =>
				sql<boolean>`(acted_by = ${userId}::uuid or for_member_id = ${memberId}::uuid)`,
			exported: ['entryId', 'act', 'actingAs', 'forMemberId', 'actedAt'],
			exportedAs: {
				actedBy: ({ userId }) => sql`case when acted_by = ${userId}::uuid then acted_by end`,
			},
			impersonal: ['id'],
			erasure: {},
			kept: 'The ids are those of an anonymous account and person.',
		},
	],
	entrySwaps: [
		{
			...entered,
			purpose: 'Former riders and horses of an entry',
			of: ({ userId, memberId }) => sql<boolean>`(
				swapped_by = ${userId}::uuid or ${memberId}::uuid in (from_rider_member_id, to_rider_member_id)
			)`,
			exported: ['entryId', 'fromHorseId', 'fromHorseName', 'toHorseId', 'toHorseName', 'swappedAt'],
			exportedAs: {
				fromRiderMemberId: ({ memberId }) =>
					sql`case when from_rider_member_id = ${memberId}::uuid then from_rider_member_id end`,
				fromRiderName: ({ memberId }) =>
					sql`case when from_rider_member_id = ${memberId}::uuid then from_rider_name end`,
				toRiderMemberId: ({ memberId }) =>
					sql`case when to_rider_member_id = ${memberId}::uuid then to_rider_member_id end`,
				toRiderName: ({ memberId }) =>
					sql`case when to_rider_member_id = ${memberId}::uuid then to_rider_name end`,
				swappedBy: ({ userId }) => sql`case when swapped_by = ${userId}::uuid then swapped_by end`,
			},
			withheld: { reason: 'free text, which may be about another person' },
			impersonal: ['id'],
			erasure: {
				fromRiderName: ({ memberId }) =>
					anonymousIf(sql`from_rider_member_id = ${memberId}::uuid`, sql`from_rider_name`),
				toRiderName: ({ memberId }) =>
					anonymousIf(sql`to_rider_member_id = ${memberId}::uuid`, sql`to_rider_name`),
				reason: () => sql`null`,
			},
			kept: anonymousRider,
		},
	],
	ledgerLines: [
		{
			purpose: 'Amounts due for an entry',
			ground: 'legal obligation',
			storedFor: 'seven years (BAO §132)',
			of: inEntriesOf,
			exported: ['entryId', 'kind', 'amount', 'competitionId', 'reason', 'bookedAt'],
			withheld: { bookedBy: 'names an account, which may be that of another person' },
			impersonal: ['id'],
			erasure: {},
			kept: 'Accounts must be kept for seven years (BAO §132); they name an anonymous rider.',
		},
		{
			purpose: 'Amounts that the account booked',
			ground: 'legal obligation',
			storedFor: 'seven years (BAO §132)',
			of: ({ userId }) => sql<boolean>`booked_by = ${userId}::uuid`,
			exported: ['entryId', 'kind', 'amount', 'bookedAt'],
			erasure: {},
			kept: 'Accounts must be kept for seven years (BAO §132); they name an anonymous account.',
		},
	],
	events: [
		{
			purpose: 'Officials of an event',
			ground: 'contract',
			storedFor: 'as long as the event is published',
			of: ({ memberId }) =>
				sql<boolean>`officials::jsonb @> jsonb_build_array(jsonb_build_object('memberId', ${memberId}::text))`,
			exported: ['id', 'name', 'startDate', 'endDate'],
			exportedAs: { officials: ({ memberId }) => ownItems(sql`officials::jsonb`, 'memberId', memberId) },
			impersonal: [
				'approval',
				'approvalRemarks',
				'approvalWarnings',
				'cancelledReason',
				'category',
				'createdAt',
				'currency',
				'description',
				'disciplines',
				'endsAt',
				'entriesOpenAt',
				'entryDeadline',
				'entryFee',
				'eventNumber',
				'isDemo',
				'isPublic',
				'lateEntryUntil',
				'lateSurcharge',
				'maxBoxes',
				'maxEntries',
				'organiserClubId',
				'organiserClubName',
				'ruleset',
				'searchText',
				'stableFee',
				'startsAt',
				'status',
				'submittedAt',
				'swapFee',
				'updatedAt',
				'venueCity',
				'venueCountryCode',
				'venueId',
				'venueName',
				'venueStateCode',
				'venueTimeZone',
				'version',
			],
			erasure: {
				officials: ({ memberId }) =>
					sql`${renamedItems(sql`officials::jsonb`, 'memberId', memberId, 'name')}::json`,
			},
			kept: 'The office of the official stays; the announcement names an anonymous person.',
		},
	],
	idempotencyKeys: [repeatedRequests],
	competitions: 'tests of an event; no person',
	sentReminders: 'ids of events and entries',
	seedMarks: 'names of demo data sets',
};
