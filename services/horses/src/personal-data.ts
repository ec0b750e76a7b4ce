import { changesMade, type Person, type PersonalData, repeatedRequests } from '@paddock/context';
import { sql } from 'kysely';
import type { HorsesSchema } from './database-schema.ts';
import { sportFields } from './horses/schemas.ts';

const ownership = {
	ground: 'contract',
	storedFor: 'as long as the horse is registered',
} as const;
const anonymous =
	'The owner stays as an anonymous person: who owned a horse when is part of its registration.';
/** What every signed-in caller reads is about the horse; a further field needs no declaration. */
const sportColumns = (Object.keys(sportFields) as (keyof typeof sportFields)[]).filter(
	(name) => name !== 'name',
);
const ofMember = ({ memberId }: Person) => sql<boolean>`member_id = ${memberId}::uuid`;

/** See docs/privacy.md, which is generated from it. */
export const personalData: PersonalData<HorsesSchema> = {
	changes: [
		{
			...changesMade,
			withheld: {
				author: 'is the person',
				before: 'is about the horse, with ids of members',
				after: 'is about the horse, with ids of members',
			},
			impersonal: ['id', 'rowId'],
		},
	],
	horses: [
		{
			...ownership,
			purpose: 'Register of horses; the person responsible for a horse',
			of: ({ memberId }) => sql<boolean>`responsible_member_id = ${memberId}::uuid`,
			exported: ['id', 'name', 'responsibleMemberId'],
			withheld: {
				breederName: 'names the breeder, who need not be the person',
				notes: 'notes of those who are entrusted with the horse, about the horse',
				deathReport: 'names the account that reported it; exported to that person',
			},
			impersonal: [
				...sportColumns,
				'beforeDeath',
				'birthYear',
				'breedKey',
				'createdAt',
				'dateOfDeath',
				'feePaidForYear',
				'isDemo',
				'nameText',
				'numberText',
				'passportKey',
				'registeredOn',
				'removedStatus',
				'removedStatusReason',
				'status',
				'statusReason',
				'updatedAt',
				'version',
			],
			erasure: {},
			kept: 'The person responsible stays as an anonymous person; an owner names another one.',
		},
		{
			...ownership,
			purpose: 'Report of a horse’s death',
			of: ({ userId }) => sql<boolean>`death_report ->> 'reportedBy' = ${userId}`,
			exported: ['id', 'deathReport'],
			erasure: {},
			kept: 'The report names an anonymous account until the office decides.',
		},
	],
	ownershipShares: [
		{
			...ownership,
			purpose: 'Owners of a horse',
			of: ofMember,
			exported: ['periodId', 'memberId', 'shareHundredths'],
			withheld: {
				partyName: 'names owners without a member record',
				partyCountryCode: 'belongs to another owner',
			},
			impersonal: ['position'],
			erasure: {},
			kept: anonymous,
		},
	],
	ownershipTransfers: [
		{
			...ownership,
			purpose: 'Requested transfers of a horse',
			of: ({ userId, memberId }) => sql<boolean>`(
				requested_by = ${userId}::uuid or ${memberId}::uuid in (requested_by_member_id, ended_by_member_id)
				or owners @> jsonb_build_array(jsonb_build_object('memberId', ${memberId}::text))
			)`,
			exported: [
				'horseId',
				'status',
				'validFrom',
				'createdAt',
				'expiresAt',
				'endedAt',
				'updatedAt',
				'requestedBy',
				'requestedByMemberId',
				'endedByMemberId',
			],
			withheld: { owners: 'names the other new owners as well' },
			impersonal: ['id', 'searchText', 'version'],
			erasure: {},
			kept: anonymous,
		},
	],
	ownershipConfirmations: [
		{
			...ownership,
			purpose: 'Confirmations of a transfer by an owner',
			of: ofMember,
			exported: ['transferId', 'memberId', 'confirmedAt'],
			erasure: {},
			kept: anonymous,
		},
	],
	ownershipCorrections: [
		{
			...ownership,
			purpose: 'Corrections of the ownership by the office',
			of: ({ userId }) => sql<boolean>`corrected_by = ${userId}::uuid`,
			exported: ['horseId', 'correctedAt', 'correctedBy', 'reason'],
			withheld: { before: 'names the owners', after: 'names the owners' },
			impersonal: ['id'],
			erasure: {},
			kept: 'Shows who corrected the registration; the id is that of an anonymous account.',
		},
	],
	deathDecisions: [
		{
			...ownership,
			purpose: 'Decisions on the death of a horse, and its report',
			of: ({ userId }) => sql<boolean>`(decided_by = ${userId}::uuid or report ->> 'reportedBy' = ${userId})`,
			exported: ['horseId', 'decision', 'decidedAt', 'dateOfDeath', 'reason'],
			exportedAs: {
				report: ({ userId }) => sql`case when report ->> 'reportedBy' = ${userId} then report end`,
				decidedBy: ({ userId }) => sql`case when decided_by = ${userId}::uuid then decided_by end`,
			},
			impersonal: ['id'],
			erasure: {},
			kept: 'Shows who decided; the id is that of an anonymous account.',
		},
	],
	idempotencyKeys: [repeatedRequests],
	ownershipPeriods: 'days; the owners are in ownership_shares',
	sentReminders: 'ids of transfers',
	seedMarks: 'names of demo data sets',
};
