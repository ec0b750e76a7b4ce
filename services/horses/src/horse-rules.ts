import { type FieldError, fail } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import { failHorses } from './errors.ts';
import { type HorseTies, isEntrusted, isOfficer } from './horse-access.ts';
import type { Horse } from './schemas/horse.ts';
import type { HorseBody } from './schemas/horse-body.ts';

/** @throws ApiError OUT_OF_SCOPE for everybody who is neither of the office nor entrusted with the horse. */
export function requireEntrusted(principal: Principal, horse: HorseTies): void {
	if (!isEntrusted(principal, horse)) throw fail('OUT_OF_SCOPE');
}

/** The office records which fees are paid; nobody else can. @throws ApiError FORBIDDEN */
export function requireFeeUnchanged(
	principal: Principal,
	body: Pick<HorseBody, 'feePaidForYear'>,
	stored?: Pick<Horse, 'feePaidForYear'>,
): void {
	if (isOfficer(principal) || body.feePaidForYear === (stored?.feePaidForYear ?? null)) return;
	throw fail('FORBIDDEN', {
		message: 'Only the federation’s office records the fees that are paid.',
		context: { fields: ['feePaidForYear'] },
	});
}

/** @throws ApiError INSUFFICIENT_IDENTIFICATION */
export function requireIdentification({
	ueln,
	microchip,
	passportNumber,
}: Pick<HorseBody, 'ueln' | 'microchip' | 'passportNumber'>): void {
	if (ueln === null && microchip === null && passportNumber === null)
		throw failHorses('INSUFFICIENT_IDENTIFICATION');
}

/** @throws ApiError HORSE_REMOVED: what is removed is restored before it is changed. */
export function requireKept({ status }: Pick<Horse, 'status'>): void {
	if (status === 'INACTIVE') throw failHorses('HORSE_REMOVED');
}

/** @throws ApiError VALIDATION_ERROR with all of them */
export function requireNone(errors: readonly FieldError[]): void {
	if (errors.length > 0) throw fail('VALIDATION_ERROR', { errors });
}
