import { changeHistory, idempotencyKeys, type Migration, recordTimes, seedMarks } from '@paddock/database';
import { specimens } from './migrations/0001-specimens.ts';

/** Applied in the order of their names. Never edit a released migration. */
export const migrations: Record<string, Migration> = {
	'0001-specimens': specimens,
	'0002-seed-marks': seedMarks,
	'0003-idempotency-keys': idempotencyKeys,
	'0004-record-times': recordTimes('specimens'),
	'0005-change-history': changeHistory({ specimens: { type: 'SPECIMEN' } }),
};
