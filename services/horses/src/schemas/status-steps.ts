import { day, line, nullableLine } from '@paddock/service';
import { z } from 'zod';

export const suspendBody = z
	.strictObject({ reason: line(1, 200).describe('Reason, shown to those entrusted with the horse.') })
	.meta({
		id: 'SuspendHorseBody',
		description: 'Reason of a suspension.',
		example: { reason: 'Verdacht auf Influenza im Stall' },
	});

export const deceaseBody = z
	.strictObject({
		date: day.describe('Day of the death; not in the future.'),
		reason: nullableLine(1, 200).default(null).describe('Cause of the death; null if unknown.'),
	})
	.meta({
		id: 'DeceaseHorseBody',
		description: 'Day and cause of a death.',
		example: { date: '2026-02-11', reason: 'Kolik' },
	});
