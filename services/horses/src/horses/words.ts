import { z } from 'zod';

export const sex = z
	.enum(['STALLION', 'MARE', 'GELDING'])
	.meta({ id: 'HorseSex', description: 'Sex of a horse.' });

export type Sex = z.output<typeof sex>;

export const horseStatus = z.enum(['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED', 'DECEASED', 'INACTIVE']).meta({
	id: 'HorseStatus',
	description:
		'SUSPENDED: may not compete for now. LAPSED: the fee is unpaid for years. INACTIVE: deleted, and can be restored.',
});

export type HorseStatus = z.output<typeof horseStatus>;
