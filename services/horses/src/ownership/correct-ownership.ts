import { dayInVienna } from '@paddock/calendar';
import { type FieldError, refuseInvalid } from '@paddock/contract';
import { once } from '@paddock/database';
import { type Call, type RecordCall, requireVersion } from '@paddock/service';
import type { HorsesQueryable } from '../database-schema.ts';
import type { HorsesDeps } from '../deps.ts';
import type { Horse } from '../horses/schemas.ts';
import { getHorse, lockHorse } from '../horses/store.ts';
import { checkReferences, referencesOfOwners } from '../peers/check-references.ts';
import { handOver, type NewOwners } from './hand-over.ts';
import { transferDayErrors, transferProblem } from './rules.ts';
import type { CorrectionBody, OwnershipCorrection, OwnershipPeriod } from './schemas.ts';
import { insertCorrection, listPeriods, replaceLastPeriod } from './store.ts';

/**
 * Stores the previous values with the reason. Owners who stay may have left the federation; of deleted horses, too, owners may have
 * to be corrected before they are restored. @throws ApiError, see the route; errors of peer calls. Nothing is stored then.
 */
export function correctOwnership(
	call: RecordCall<CorrectionBody>,
	deps: HorsesDeps,
): Promise<OwnershipCorrection> {
	const { db } = deps;
	const { body, now, principal, preconditions } = call;
	const { id } = call.params;
	return once(db, call, {
		operationId: 'correctOwnership',
		input: { id, ...body },
		check: async () => {
			const horse = await getHorse(db, id, principal);
			requireVersion(preconditions, horse.version);
			refuseInvalid(transferDayErrors(body.from ?? '', dayInVienna(now)));
			const { errors, members } = await checkReferences(referencesOfOwners(body.owners), call, deps);
			refuseInvalid(errorsOfNewOwners(errors, body, horse));
			return { errors, members };
		},
		effect: async (transaction, { errors, members }) => {
			const { horse } = await lockHorse(transaction, id, principal);
			requireVersion(preconditions, horse.version);
			refuseInvalid(errorsOfNewOwners(errors, body, horse));
			return correctLocked(transaction, horse, { body, members }, call);
		},
	});
}

/** Without those of owners who stay: they may have left the federation. */
function errorsOfNewOwners(
	errors: readonly FieldError[],
	{ owners }: CorrectionBody,
	horse: Pick<Horse, 'owners'>,
): readonly FieldError[] {
	const present = horse.owners.map(({ memberId }) => memberId);
	const remaining = referencesOfOwners(owners)
		.filter(({ value }) => present.includes(value))
		.map(({ field }) => field);
	return errors.filter(({ field }) => !remaining.includes(field));
}

async function correctLocked(
	db: HorsesQueryable,
	horse: Horse,
	{ body, members }: Pick<NewOwners, 'members'> & { readonly body: CorrectionBody },
	{ principal, now }: Call,
): Promise<OwnershipCorrection> {
	const [last, previous] = await listPeriods(db, horse.id);
	if (last === undefined) throw new TypeError('Every horse has an ownership period.');
	const after = { from: body.from ?? last.from, owners: body.owners };
	requireDay(after.from, { last, previous, dateOfDeath: horse.dateOfDeath });
	const correction = await insertCorrection(db, {
		horseId: horse.id,
		reason: body.reason,
		before: { from: last.from, owners: last.owners },
		after,
		correctedBy: principal.userId,
		correctedAt: now,
	});
	await replaceLastPeriod(db, horse.id, after);
	await handOver(db, horse, { owners: body.owners, members }, now);
	return correction;
}

interface Periods {
	readonly last: OwnershipPeriod;
	readonly previous: OwnershipPeriod | undefined;
	readonly dateOfDeath: string | null;
}

function requireDay(from: string, { last, previous, dateOfDeath }: Periods): void {
	if (previous === undefined) {
		refuseInvalid(firstDayErrors(from, last));
		return;
	}
	const problem = transferProblem(from, { previousFrom: previous.from, dateOfDeath });
	if (problem !== undefined) throw problem;
}

function firstDayErrors(from: string, first: OwnershipPeriod): FieldError[] {
	if (from === first.from) return [];
	const message = `must be ${first.from}: the first period begins with the registration`;
	return [{ field: 'from', code: 'INVALID_RANGE', message }];
}
