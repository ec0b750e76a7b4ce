import { day, line, nullableLine } from '@paddock/service';
import { z } from 'zod';

export const suspendBody = z
	.strictObject({ reason: line(1, 200) })
	.meta({ id: 'SuspendHorseBody', example: { reason: 'Verdacht auf Influenza im Stall' } });

export const deceaseBody = z
	.strictObject({
		date: day.describe('The day of its death; not in the future.'),
		reason: nullableLine(1, 200).default(null),
	})
	.meta({ id: 'DeceaseHorseBody', example: { date: '2026-02-11', reason: 'Kolik' } });
