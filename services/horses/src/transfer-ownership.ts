import { dayInVienna } from '@paddock/calendar';
import { once } from '@paddock/database';
import { requireActiveMember } from './acting-member.ts';
import type { HorsesQueryable } from './database-schema.ts';
import type { Call, HorsesDeps } from './deps.ts';
import { requireEntrusted, requireKept, requireNone } from './horse-rules.ts';
import { questionOf } from './question-of.ts';
import { referencesOfOwners } from './references/references-of.ts';
import { completeHorse, getVisibleHorse, lockVisibleHorse, updateHorse } from './repository/horses.ts';
import { getPeriodBounds, insertPeriod } from './repository/ownership.ts';
import type { Transfer, TransferBody } from './schemas/ownership.ts';
import { transferDayErrors, transferProblem } from './transfer-rules.ts';

/**
 * Gives the horse new owners from a day on; who owned it until then keeps the days before.
 * @throws ApiError NOT_FOUND, OUT_OF_SCOPE, VALIDATION_ERROR, HORSE_REMOVED, OWNERSHIP_NOT_AFTER_PREVIOUS,
 * OWNERSHIP_AFTER_DEATH; what the peers throw. Nothing is stored then.
 */
export function transferOwnership(
	id: string,
	body: TransferBody,
	call: Call,
	deps: HorsesDeps,
): Promise<Transfer> {
	const { db, references } = deps;
	const { idempotencyKey: key, now, principal } = call;
	const request = {
		key,
		userId: principal.userId,
		operationId: 'transferHorse',
		input: { id, ...body },
		now,
	};
	return once(db, request, {
		// Who sold the horse isn't entrusted with it any more, and still gets the same answer to the same request.
		check: async () => {
			const horse = await completeHorse(db, await getVisibleHorse(db, id, principal));
			requireEntrusted(principal, horse);
			requireKept(horse);
			requireNone(transferDayErrors(body.from, dayInVienna(now)));
			await requireActiveMember(principal, questionOf(call), deps);
			await references.require(referencesOfOwners(body.owners), questionOf(call));
		},
		effect: (transaction) => insertTransfer(transaction, id, body, call),
	});
}

async function insertTransfer(
	db: HorsesQueryable,
	id: string,
	body: TransferBody,
	{ principal, now }: Call,
): Promise<Transfer> {
	const row = await lockVisibleHorse(db, id, principal);
	const horse = await completeHorse(db, row);
	requireEntrusted(principal, horse);
	requireKept(horse);
	const { last } = await getPeriodBounds(db, id);
	const problem = transferProblem(body.from, { previousFrom: last, dateOfDeath: horse.dateOfDeath });
	if (problem !== undefined) throw problem;
	await insertPeriod(db, id, body);
	// The owners of today are a part of the record, so it has a new version.
	await updateHorse(db, id, {}, now);
	return { horseId: id, from: body.from, to: null, owners: body.owners };
}
