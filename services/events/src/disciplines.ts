/** Disciplines under the rules of OeTO part B and of the FEI. */
export const disciplines = [
	'DRESSAGE',
	'JUMPING',
	'EVENTING',
	'DRIVING',
	'ENDURANCE',
	'VAULTING',
	'REINING',
	'WESTERN',
	'WORKING_EQUITATION',
	'PARA_DRESSAGE',
] as const;

export type Discipline = (typeof disciplines)[number];
