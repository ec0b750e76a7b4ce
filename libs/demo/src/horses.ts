import { demoClubs } from './clubs.ts';
import { type DemoMember, demoMembers } from './members.ts';

/** The fields of a demo horse that several contexts use; the horses context has the others. */
export interface DemoHorse {
	readonly id: string;
	readonly name: string;
	readonly sex: 'STALLION' | 'MARE' | 'GELDING';
	/** Current year minus year of birth. */
	readonly age: number;
	readonly headNumber: string;
	readonly heightCm: number;
	readonly isPony: boolean;
	readonly sireName: string | null;
	readonly clubId: string;
	/** The current owners; the first is also the responsible person. */
	readonly ownerMemberIds: readonly [string, ...string[]];
}

const m = demoMembers;
const { auwiesen, hochlaerchen, seeblick } = demoClubs;

/** Demo horses, including three generations of one family. */
export const demoHorses = {
	grandsire: horse(1, 'Nebelhorn', 'STALLION', 24, 'D001', 168, null, hochlaerchen, [m.oskar]),
	granddam: horse(2, 'Morgentau', 'MARE', 22, 'D002', 164, 'Abendrot', hochlaerchen, [m.oskar]),
	sire: horse(3, 'Sturmvogel', 'STALLION', 15, 'D003', 170, 'Nebelhorn', hochlaerchen, [m.david]),
	dam: horse(4, 'Fliederduft', 'MARE', 14, 'D004', 165, 'Silberpfeil', auwiesen, [m.clara]),
	gelding: horse(5, 'Donnerhall vom Moor', 'GELDING', 8, 'D005', 169, 'Sturmvogel', auwiesen, [m.eva]),
	shared: horse(6, 'Lärchenglut', 'MARE', 10, 'D006', 166, 'Waldkauz', auwiesen, [m.felix, m.eva]),
	transferred: horse(7, 'Kieselstein', 'GELDING', 12, 'D007', 167, 'Bergkristall', hochlaerchen, [m.greta]),
	pony: horse(8, 'Wichtel', 'GELDING', 11, 'D008', 138, 'Kobold', seeblick, [m.jana]),
	secondPony: horse(9, 'Haselmaus', 'MARE', 9, 'D009', 128, 'Kobold', seeblick, [m.kilian]),
	four: horse(10, 'Frühlingsbote', 'STALLION', 4, 'D010', 167, 'Sturmvogel', auwiesen, [m.ivo]),
	five: horse(11, 'Maiglöckchen', 'MARE', 5, 'D011', 165, 'Sturmvogel', hochlaerchen, [m.hannah]),
	three: horse(12, 'Herbstlaub', 'MARE', 3, 'D012', 163, 'Sturmvogel', hochlaerchen, [m.nora]),
	retired: horse(13, 'Alter Freund', 'GELDING', 26, 'D013', 165, null, auwiesen, [m.oskar]),
	deceased: horse(14, 'Unvergessen', 'MARE', 20, 'D014', 162, null, auwiesen, [m.clara]),
} as const satisfies Record<string, DemoHorse>;

function horse(
	number: number,
	name: string,
	sex: DemoHorse['sex'],
	age: number,
	headNumber: string,
	heightCm: number,
	sireName: string | null,
	club: { readonly id: string },
	owners: readonly [DemoMember, ...DemoMember[]],
): DemoHorse {
	const [first, ...others] = owners;
	return {
		id: `d3000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
		name,
		sex,
		age,
		headNumber,
		heightCm,
		isPony: heightCm <= 148,
		sireName,
		clubId: club.id,
		ownerMemberIds: [first.id, ...others.map((owner) => owner.id)],
	};
}
