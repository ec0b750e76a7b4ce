import { idempotencyKeys, type Migration, seedMarks } from '@paddock/database';
import { specimens } from './migrations/0001-specimens.ts';

/** Applied in the order of the names; a released migration is never edited. */
export const migrations: Record<string, Migration> = {
	'0001-specimens': specimens,
	'0002-seed-marks': seedMarks,
	'0003-idempotency-keys': idempotencyKeys,
};
