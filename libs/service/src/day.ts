import { isoDate } from './schemas.ts';

const first = '1900-01-01';
const last = '2199-12-31';

/** A day that a birth or a rule can have: a year such as 0026 or 20026 is a slip of the keyboard. */
export const day = isoDate.refine((value) => value >= first && value <= last, {
	message: `must be from ${first} to ${last}`,
	params: { code: 'INVALID_RANGE' },
});
