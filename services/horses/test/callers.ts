import type { Role } from '@paddock/identity';
import type { RunningHorses } from './running-horses.ts';

/** A caller by the relation to one horse. */
export type Who =
	| 'owner'
	| 'responsible'
	| 'stranger'
	| 'accountOnly'
	| 'official'
	| 'otherOfficial'
	| 'unscopedOfficial'
	| 'organiser'
	| 'officer'
	| 'admin';

export const allCallers: readonly Who[] = [
	'owner',
	'responsible',
	'stranger',
	'accountOnly',
	'official',
	'otherOfficial',
	'unscopedOfficial',
	'organiser',
	'officer',
	'admin',
];

export interface Callers {
	readonly clubId: string;
	readonly otherClubId: string;
	readonly owner: ReturnType<RunningHorses['person']>;
	readonly responsible: ReturnType<RunningHorses['person']>;
	tokenOf(who: Who): string;
	/** A horse with an owner, a responsible person and a club. */
	tied(changes?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** People with every tie to a horse, and without. */
export function callersOf(horses: RunningHorses): Callers {
	const [clubId, otherClubId] = [horses.peers.club(), horses.peers.club()];
	const [owner, responsible] = [horses.person(), horses.person()];
	const official = (clubIds: readonly string[] | undefined) =>
		horses.sign({
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			...(clubIds === undefined ? {} : { roleScopes: { CLUB_OFFICIAL: { clubIds } } }),
		});
	const role = (name: Role) => horses.sign({ roles: [name] });
	const tokens: Readonly<Record<Who, () => string>> = {
		owner: () => owner.token,
		responsible: () => responsible.token,
		stranger: () => horses.stranger,
		accountOnly: () => horses.sign({}),
		official: () => official([clubId]),
		otherOfficial: () => official([otherClubId]),
		unscopedOfficial: () => official(undefined),
		organiser: () => horses.sign({ roles: ['ORGANISER'], roleScopes: { ORGANISER: { clubIds: [clubId] } } }),
		officer: () => role('FEDERATION_OFFICER'),
		admin: () => role('ADMIN'),
	};
	return {
		clubId,
		otherClubId,
		owner,
		responsible,
		tokenOf: (who) => tokens[who](),
		tied: (changes = {}) => ({
			owners: [{ memberId: owner.memberId }],
			responsibleMemberId: responsible.memberId,
			clubId,
			notes: 'Geheimnis',
			breederName: 'Geheimer Züchter',
			...changes,
		}),
	};
}
