import { dayInVienna } from '@paddock/calendar';
import { apiError, refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { type Call, requireVersion, type UpdateCall } from '@paddock/service';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { HorsesDeps } from '../deps.ts';
import { horsesError } from '../errors.ts';
import { getPeriodBounds } from '../ownership/store.ts';
import { checkChildren, checkParents, isSameParentage, parentageOf } from '../pedigree/check-parentage.ts';
import { birthErrors, birthOf, firstDayOf, isSameBirth } from '../pedigree/rules.ts';
import { lockPedigrees } from '../pedigree/store.ts';
import { referencesOfHorse, requireReferences } from '../peers/check-references.ts';
import type { HorseBody, WrittenHorse } from './body-schemas.ts';
import {
	mayBringTo,
	officeValues,
	requireDecidingAlone,
	requireEntrusted,
	requireIdentification,
	requireKept,
	requireSameIdentity,
} from './rules.ts';
import type { Horse } from './schemas.ts';
import { getHorse, type HorseChange, lockHorse, updateHorse, writtenColumns } from './store.ts';

/** References are looked up before the transaction, all else is checked on the locked row. @throws ApiError, see the route. */
export async function changeHorseData(call: UpdateCall<HorseBody>, deps: HorsesDeps): Promise<Horse> {
	const { db } = deps;
	const { principal } = call;
	const { id } = call.params;
	const before = await getHorse(db, id, principal);
	const wanted = bodyOnto(before, call);
	await requireReferences(referencesOfHorse(wanted, before), call, deps);
	return inTransaction(db, async (transaction) => {
		if (!isSameParentage(parentageOf(wanted), before)) await lockPedigrees(transaction);
		const { row, horse: stored } = await lockHorse(transaction, id, principal);
		const body = bodyOnto(stored, call);
		await checkStoredRelations(transaction, body, stored);
		const written = { ...body, ...birthOf(body), ...officeValues(principal, body, stored) };
		const change = columnsOf(written, stored, row);
		requireSameIdentity(principal, stored, { row, change });
		return updateHorse(transaction, id, change, call.now);
	});
}

/** What depends on a changed field doesn't stay: the year of another day of birth, the sire of another dam. */
function bodyOnto(stored: Horse, call: UpdateCall<HorseBody>): HorseBody {
	const { principal, update, preconditions } = call;
	requireEntrusted(principal, stored);
	requireVersion(preconditions, stored.version);
	requireKept(stored);
	const { dateOfBirth = null, damId = stored.damId, damName = stored.damName } = update.named;
	const isOtherDam = damId !== stored.damId || (damId === null && damName !== stored.damName);
	const body = update.onto({
		...stored,
		...(dateOfBirth === null ? {} : { birthYear: null }),
		...(isOtherDam ? { damSireName: null } : {}),
	});
	checkChange(stored, body, call);
	return body;
}

/** The dam's sire may come from the dam's record; sent back unchanged, it must not be copied into this row. */
function columnsOf(body: WrittenHorse, stored: Horse, row: HorseRow): HorseChange {
	const columns = writtenColumns(body);
	const isSentBack = body.damId === stored.damId && body.damSireName === stored.damSireName;
	return isSentBack ? { ...columns, damSireName: row.damSireName } : columns;
}

function checkChange(stored: Horse, body: HorseBody, { principal, now }: Call): void {
	if (body.clubId !== stored.clubId && !mayBringTo(principal, stored, body.clubId))
		throw apiError('OUT_OF_SCOPE', { message: 'You cannot bring the horse to a club that is not yours.' });
	if (body.responsibleMemberId !== stored.responsibleMemberId) requireDecidingAlone(principal, stored);
	officeValues(principal, body, stored);
	const parentage = parentageOf(body);
	// Only a changed birth is checked: a stored horse may be older than the limit for new ones and must stay editable.
	if (!isSameBirth(parentage, stored))
		refuseInvalid(birthErrors(parentage, dayInVienna(now), stored.dateOfDeath));
	requireIdentification(body);
}

async function checkStoredRelations(db: HorsesQueryable, body: HorseBody, stored: Horse): Promise<void> {
	const parentage = parentageOf(body);
	if (isSameParentage(parentage, stored)) return;
	// Already held, unless the record changed between the first read and the lock of its row.
	await lockPedigrees(db);
	await checkParents(db, parentage, stored);
	await checkChildren(db, stored.id, parentage);
	const { first } = await getPeriodBounds(db, stored.id);
	if (firstDayOf(parentage) > first)
		throw horsesError('OWNERSHIP_BEFORE_BIRTH', { context: { ownedFrom: first } });
}
