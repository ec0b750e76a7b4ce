/** Roles of officials in an announcement (OeTO part A, officials; FEI General Regulations, chapter on officials). */
export const officialRoles = [
	'SHOW_DIRECTOR',
	'JUDGE',
	'COURSE_DESIGNER',
	'STEWARD',
	'TECHNICAL_DELEGATE',
	'VETERINARIAN',
	'FARRIER',
	'DOCTOR',
	'SHOW_OFFICE',
	'OTHER',
] as const;

export type OfficialRole = (typeof officialRoles)[number];
