export const horseStatuses = ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED', 'DECEASED', 'INACTIVE'] as const;

/** INACTIVE = removed from the registry; only the federation's office sees it. */
export type HorseStatus = (typeof horseStatuses)[number];

export const sexes = ['STALLION', 'MARE', 'GELDING'] as const;

export type Sex = (typeof sexes)[number];
