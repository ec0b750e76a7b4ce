import { changesOfRecordsMade, type PersonalData, repeatedRequests } from '@paddock/context';
import type { MasterdataSchema } from './database-schema.ts';

const reference = 'reference data, which the office maintains';

/** See docs/privacy.md, which is generated from it. */
export const personalData: PersonalData<MasterdataSchema> = {
	changes: [changesOfRecordsMade],
	idempotencyKeys: [repeatedRequests],
	ageClasses: reference,
	arenas: reference,
	countries: reference,
	states: reference,
	venues: reference,
	seedMarks: 'names of demo data sets',
};
