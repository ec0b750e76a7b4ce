import { z } from 'zod';

/**
 * Kinds of competitions that the rules treat differently. YOUNG_HORSE: Dressurpferde- and Springpferdeprüfung (OeTO
 * §100.5, §200.6); RIDING_HORSE, SUITABILITY: Reitpferde- and Eignungsprüfung (§1102, §1103); INTRODUCTORY: Einlauf;
 * LICENCE_FREE: §801; POWER_AND_SKILL: Mächtigkeit and Barrieren (§54.1.6); TEAM: more than one rider, driver or horse at
 * a start, which entries cannot express.
 */
export const competitionKinds = [
	'STANDARD',
	'STYLE',
	'YOUNG_HORSE',
	'RIDING_HORSE',
	'SUITABILITY',
	'INTRODUCTORY',
	'LICENCE_FREE',
	'POWER_AND_SKILL',
	'TEAM',
] as const;

export type CompetitionKind = (typeof competitionKinds)[number];

export const competitionKind = z.enum(competitionKinds).meta({
	id: 'CompetitionKind',
	description:
		'Kinds that the rules treat differently. YOUNG_HORSE: for young horses (OeTO §100.5, §200.6); RIDING_HORSE, SUITABILITY: §1102, §1103; INTRODUCTORY: Einlauf, counts for no class range; LICENCE_FREE: §801; POWER_AND_SKILL: Mächtigkeit, Barrieren. TEAM, several riders, drivers or horses at a start, is refused: entries have one of each.',
});
