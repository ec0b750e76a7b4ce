import { dayMax, dayMin } from '@paddock/calendar';
import { isoDate } from './schemas.ts';

/** A day that a birth or a rule can have: a year such as 0026 or 20026 is a slip of the keyboard. */
export const day = isoDate.refine((value) => value >= dayMin && value <= dayMax, {
	message: `must be from ${dayMin} to ${dayMax}`,
	params: { code: 'INVALID_RANGE' },
});
