import { searchLines } from '@paddock/database';
import { birthOf } from '../birth.ts';
import { breedKey } from '../breed-key.ts';
import { cleanNumber } from '../clean-number.ts';
import type { HorseRow, NewHorseRow, StoredDeathReport } from '../database-schema.ts';
import type { DeathReport } from '../schemas/death.ts';
import type { Horse } from '../schemas/horse.ts';
import type { WrittenHorse } from '../schemas/horse-body.ts';
import type { Owner } from '../schemas/owner.ts';

/** The columns that a client or the demo writes, on POST and on PUT. */
export function writtenColumns(body: WrittenHorse) {
	const { dateOfBirth, birthYear } = birthOf(body);
	const passportKey = body.passportNumber === null ? null : cleanNumber(body.passportNumber);
	return {
		name: body.name,
		sex: body.sex,
		date_of_birth: dateOfBirth,
		birth_year: birthYear,
		breed: body.breed,
		breed_key: body.breed === null ? null : breedKey(body.breed),
		studbook: body.studbook,
		colour: body.colour,
		height_cm: body.heightCm,
		is_pony: body.isPony,
		country_of_birth: body.countryOfBirth,
		ueln: body.ueln,
		microchip: body.microchip,
		federation_horse_number: body.federationHorseNumber,
		head_number: body.headNumber,
		fei_id: body.feiId,
		passport_number: body.passportNumber,
		passport_key: passportKey,
		passport_issuer: body.passportIssuer,
		sire_id: body.sireId,
		sire_name: body.sireId === null ? body.sireName : null,
		dam_id: body.damId,
		dam_name: body.damId === null ? body.damName : null,
		dam_sire_name: body.damSireName,
		breeder_name: body.breederName,
		responsible_member_id: body.responsibleMemberId,
		club_id: body.clubId,
		fee_paid_for_year: body.feePaidForYear,
		notes: body.notes,
		name_text: searchLines(body.name),
		number_text: searchLines(
			body.ueln,
			body.microchip,
			body.federationHorseNumber,
			body.headNumber,
			body.feiId,
			body.passportNumber,
			passportKey,
		),
	} satisfies Partial<NewHorseRow>;
}

/** Names of a horse's parents, from linked records or from its own. */
export interface ParentNames {
	readonly sireName: string | null;
	readonly damName: string | null;
	readonly damSireName: string | null;
}

export function toHorse(row: HorseRow, names: ParentNames, owners: readonly Owner[]): Horse {
	return {
		id: row.id,
		name: row.name,
		sex: row.sex,
		dateOfBirth: row.date_of_birth,
		birthYear: row.birth_year,
		breed: row.breed,
		studbook: row.studbook,
		colour: row.colour,
		heightCm: row.height_cm,
		isPony: row.is_pony,
		countryOfBirth: row.country_of_birth,
		ueln: row.ueln,
		microchip: row.microchip,
		federationHorseNumber: row.federation_horse_number,
		headNumber: row.head_number,
		feiId: row.fei_id,
		passportNumber: row.passport_number,
		passportIssuer: row.passport_issuer,
		sireId: row.sire_id,
		sireName: names.sireName,
		damId: row.dam_id,
		damName: names.damName,
		damSireName: names.damSireName,
		clubId: row.club_id,
		registeredOn: row.registered_on,
		status: row.status,
		dateOfDeath: row.date_of_death,
		createdAt: row.created_at.toISOString(),
		updatedAt: row.updated_at.toISOString(),
		version: row.version,
		breederName: row.breeder_name,
		responsibleMemberId: row.responsible_member_id,
		feePaidForYear: row.fee_paid_for_year,
		notes: row.notes,
		deathReport: toDeathReport(row.death_report),
		owners: [...owners],
		statusReason: row.status_reason,
	};
}

export function toDeathReport(stored: StoredDeathReport | null): DeathReport | null {
	if (stored === null) return null;
	const { reportedBy: _reportedBy, ...report } = stored;
	return report;
}
