import type { PersonalData } from '@paddock/context';
import { sql } from 'kysely';
import type { SpecimensSchema } from './database-schema.ts';

/** See docs/privacy.md, which is generated from it: each column of each table with data about people is declared. */
export const personalData: PersonalData<SpecimensSchema> = {
	changes: [
		{
			purpose: 'Changes that the account made',
			ground: 'legitimate interests',
			storedFor: 'HISTORY_DAYS',
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
			withheld: {
				data: 'a copy of records, which may be those of others',
				inputDigest: 'a digest of a request',
			},
			impersonal: ['userId'],
			erasure: 'delete',
		},
	],
	specimens: 'no person',
	seedMarks: 'names of demo data sets',
};
