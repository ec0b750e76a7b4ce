import type { ErrorDefinition } from '@paddock/contract';
import { crudTablesWith } from '@paddock/crud';
import type { SpecimensSchema } from './database-schema.ts';

/** Error codes of this context, in addition to the common ones. */
const specimensErrors = {
	SPECIMEN_NAME_TAKEN: { status: 409, message: 'Another specimen has this name.' },
} as const satisfies Record<string, ErrorDefinition>;

/** Declares the queries of one table. */
export const crudTable = crudTablesWith<SpecimensSchema>()(specimensErrors);
