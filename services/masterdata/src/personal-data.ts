import type { PersonalData } from '@paddock/context';
import { sql } from 'kysely';
import type { MasterdataSchema } from './database-schema.ts';

const reference = 'reference data, which the office maintains';

const history = { ground: 'legitimate interests', storedFor: 'HISTORY_DAYS' } as const;

/** See docs/privacy.md, which is generated from it. */
export const personalData: PersonalData<MasterdataSchema> = {
	changes: [
		{
			...history,
			purpose: 'Changes that the account made',
			of: ({ userId }) => sql<boolean>`author ->> 'userId' = ${userId}`,
			exported: ['recordType', 'recordId', 'operation', 'changedAt'],
			withheld: { author: 'is the person' },
			impersonal: ['id', 'rowId', 'before', 'after'],
			erasure: {},
			kept: 'Shows who changed a record; the id is that of an anonymous account.',
		},
	],
	idempotencyKeys: [
		{
			purpose: 'Responses to repeated requests',
			ground: 'legitimate interests',
			storedFor: 'a day',
			of: ({ userId }) => sql<boolean>`user_id = ${userId}::uuid`,
			exported: ['createdAt', 'key'],
			withheld: { inputDigest: 'a digest of a request' },
			impersonal: ['userId', 'data'],
			erasure: 'delete',
		},
	],
	ageClasses: reference,
	arenas: reference,
	countries: reference,
	states: reference,
	venues: reference,
	seedMarks: 'names of demo data sets',
};
