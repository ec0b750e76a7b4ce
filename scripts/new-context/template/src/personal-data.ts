import { changesOfRecordsMade, type PersonalData, repeatedRequests } from '@paddock/context';
import type { SpecimensSchema } from './database-schema.ts';

/** See docs/privacy.md, which is generated from it: each column of each table with data about people is declared. */
export const personalData: PersonalData<SpecimensSchema> = {
	changes: [changesOfRecordsMade],
	idempotencyKeys: [repeatedRequests],
	specimens: 'no person',
	seedMarks: 'names of demo data sets',
};
