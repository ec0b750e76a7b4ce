import { dayMax, dayMin } from '@paddock/calendar';
import { isoDate } from './schemas.ts';

/** A day in the plausible range: a year such as 0026 or 20026 is a typing error. */
export const day = isoDate.refine((value) => value >= dayMin && value <= dayMax, {
	message: `must be from ${dayMin} to ${dayMax}`,
	params: { code: 'INVALID_RANGE' },
});
