import { idempotencyKeys, type Migration, seedMarks } from '@paddock/database';
import { horses } from './migrations/0001-horses.ts';
import { ownership } from './migrations/0002-ownership.ts';
import { horsesStatusIndex } from './migrations/0005-horses-status-index.ts';

/** Applied in the order of the names; one that has been released is never edited. */
export const migrations: Record<string, Migration> = {
	'0001-horses': horses,
	'0002-ownership': ownership,
	'0003-seed-marks': seedMarks,
	'0004-idempotency-keys': idempotencyKeys,
	'0005-horses-status-index': horsesStatusIndex,
};
