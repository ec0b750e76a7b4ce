import { z } from 'zod';

export const horseStatuses = ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED', 'DECEASED', 'INACTIVE'] as const;

/** INACTIVE = deleted; only the federation's office sees it. */
export type HorseStatus = (typeof horseStatuses)[number];

export const sexes = ['STALLION', 'MARE', 'GELDING'] as const;

export type Sex = (typeof sexes)[number];

export const sex = z.enum(sexes).meta({ id: 'HorseSex', description: 'Sex of a horse.' });

export const horseStatus = z.enum(horseStatuses).meta({
	id: 'HorseStatus',
	description:
		'SUSPENDED: may not compete for now. LAPSED: the fee is unpaid for years. INACTIVE: deleted, and can be restored.',
});
