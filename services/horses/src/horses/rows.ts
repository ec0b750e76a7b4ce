import { searchLines } from '@paddock/database';
import { withInstants } from '@paddock/service';
import { cleanNumber, searchForms } from '@paddock/text';
import type { HorseRow, NewHorseRow } from '../database-schema.ts';
import type { DeathReport } from '../death/schemas.ts';
import type { Owner } from '../ownership/owner-schemas.ts';
import type { WrittenHorse } from './body-schemas.ts';
import type { Horse } from './schemas.ts';

/** Comparison key of a breed: ignores case and umlaut spelling. */
export function breedKey(breed: string): string {
	return searchForms(breed)[0] ?? '';
}

/** The columns that a client or the demo writes, on POST and on PUT. */
export function writtenColumns(body: WrittenHorse) {
	const { breed, ueln, microchip, federationHorseNumber, headNumber, feiId, passportNumber } = body;
	const passportKey = passportNumber === null ? null : cleanNumber(passportNumber);
	const numbers = [ueln, microchip, federationHorseNumber, headNumber, feiId, passportNumber, passportKey];
	return {
		...body,
		breedKey: breed === null ? null : breedKey(breed),
		passportKey,
		sireName: body.sireId === null ? body.sireName : null,
		damName: body.damId === null ? body.damName : null,
		nameText: searchLines(body.name),
		numberText: searchLines(...numbers),
	} satisfies Partial<NewHorseRow>;
}

/** Names of a horse's parents, from linked records or from its own. */
export type ParentNames = Pick<Horse, 'sireName' | 'damName' | 'damSireName'>;

export function toHorse(row: HorseRow, names: ParentNames, owners: readonly Owner[]): Horse {
	const { breedKey, passportKey, nameText, numberText, isDemo, ...shown } = row;
	const { removedStatus, removedStatusReason, beforeDeath, ...columns } = shown;
	return {
		...withInstants(columns),
		...names,
		deathReport: toDeathReport(row.deathReport),
		owners: [...owners],
	};
}

export function toDeathReport(stored: HorseRow['deathReport']): DeathReport | null {
	if (stored === null) return null;
	const { reportedBy, ...report } = stored;
	return report;
}
