import { id, uniqueItems } from '@paddock/service';
import { z } from 'zod';

const horseIdsMax = 50;
const example = 'd3000000-0000-4000-8000-000000000013';

export const removeHorsesBody = z
	.strictObject({
		horseIds: uniqueItems(z.array(id).min(1).max(horseIdsMax), 'must not be repeated').describe(
			'UUIDs of the horses.',
		),
	})
	.meta({
		id: 'RemoveHorsesBody',
		description: 'Horses to remove from the registry.',
		example: { horseIds: [example] },
	});

const refusal = z
	.strictObject({
		id: id.describe('UUID of the horse.'),
		code: z.string().describe('Error code, one of those of `DELETE /api/horses/{id}`.'),
		message: z.string().describe('Reason, for people.'),
	})
	.meta({ id: 'HorseRefusal', description: 'A horse that was not removed, with the reason.' });

export const removedHorses = z
	.strictObject({
		removed: z.array(id).describe('UUIDs of the horses that are removed now.'),
		refused: z.array(refusal).describe('Horses that were not removed.'),
	})
	.meta({
		id: 'RemovedHorses',
		description: 'The outcome for each horse.',
		example: { removed: [example], refused: [] },
	});

export type RemovedHorses = z.output<typeof removedHorses>;
