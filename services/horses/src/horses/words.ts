import { z } from 'zod';
import { horseStatuses, sexes } from './enumerations.ts';

export const sex = z.enum(sexes).meta({ id: 'HorseSex', description: 'Sex of a horse.' });

export const horseStatus = z.enum(horseStatuses).meta({
	id: 'HorseStatus',
	description:
		'SUSPENDED: may not compete for now. LAPSED: the fee is unpaid for years. INACTIVE: removed from the registry.',
});
