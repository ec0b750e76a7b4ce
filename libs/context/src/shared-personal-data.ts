import { type RawBuilder, sql } from 'kysely';
import type { Person } from './personal-data.ts';

/** Basis of the declarations of the change history, which each context has. */
const history = { ground: 'legitimate interests', storedFor: 'HISTORY_DAYS' } as const;

/** The changes that an account made; a further role beside those of the records. */
export const changesMade = {
	...history,
	purpose: 'Changes that the account made',
	of: ({ userId }: Person) => sql<boolean>`author ->> 'userId' = ${userId}`,
	exported: ['recordType', 'recordId', 'operation', 'changedAt'],
	erasure: {},
	kept: 'Shows who changed a record; the id is that of an anonymous account.',
} as const;

/** The same for a context whose records are not about people. */
export const changesOfRecordsMade = {
	...changesMade,
	withheld: { author: 'is the person' },
	impersonal: ['id', 'rowId', 'before', 'after'],
} as const;

/** Changes of the records that are about the person; their values are exported, and erased. */
export function changesAbout(purpose: string, of: (person: Person) => RawBuilder<boolean>) {
	return {
		...history,
		purpose,
		of,
		exported: ['recordType', 'recordId', 'rowId', 'operation', 'changedAt', 'before', 'after'],
		withheld: { author: 'names the account that made the change, which may be that of another person' },
		impersonal: ['id'],
		erasure: 'changes',
		kept: 'That something changed, and when, stays without the values.',
	} as const;
}

/** `changesAbout` without the parts of the values that are about other people. */
export function changesAboutWithout(
	purpose: string,
	of: (person: Person) => RawBuilder<boolean>,
	withoutOthers: (values: RawBuilder<unknown>) => RawBuilder<unknown>,
) {
	return {
		...changesAbout(purpose, of),
		exported: ['recordType', 'recordId', 'rowId', 'operation', 'changedAt'],
		exportedAs: { before: () => withoutOthers(sql`before`), after: () => withoutOthers(sql`after`) },
	} as const;
}

/** Changes with parts about the person, of records that are about others. */
export const changesInvolving = history;

/** The responses that `once` of libs/database stores. */
export const repeatedRequests = {
	purpose: 'Responses to repeated requests',
	ground: 'legitimate interests',
	storedFor: 'a day, and at most an hour more until they are deleted',
	of: ({ userId }: Person) => sql<boolean>`user_id = ${userId}::uuid`,
	exported: ['createdAt', 'key'],
	withheld: {
		data: 'a copy of records, which may be those of others',
		inputDigest: 'a digest of a request',
	},
	impersonal: ['userId'],
	erasure: 'delete',
} as const;
