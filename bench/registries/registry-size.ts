/** Numbers of records for one size of the registries. */
export interface RegistrySize {
	readonly members: number;
	readonly clubs: number;
	readonly users: number;
	readonly horses: number;
	readonly transfers: number;
	readonly venues: number;
	readonly events: number;
	readonly entries: number;
}

export const entriesPerEvent = 150;
const membersPerClub = 250;

/** The other registries grow with the members. */
export function registrySize(members: number): RegistrySize {
	return {
		members,
		clubs: Math.min(8_000, Math.max(10, Math.round(members / membersPerClub))),
		users: Math.round(members / 2),
		horses: Math.round(members * 1.5),
		transfers: Math.round(members / 50),
		venues: Math.max(20, Math.round(members / 1_000)),
		events: Math.max(20, Math.round((members * 3) / entriesPerEvent)),
		entries: members * 3,
	};
}
