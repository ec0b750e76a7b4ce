import { dayInVienna } from '@paddock/calendar';
import { type FieldError, refuseInvalid } from '@paddock/contract';
import { actingMember } from '@paddock/identity';
import { type RecordCall, withInstants } from '@paddock/service';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { HorsesDeps } from '../deps.ts';
import { horsesError } from '../errors.ts';
import { changeHorse, tiesOfReturning } from '../horses/change-horse.ts';
import { keepersOf } from '../horses/rules.ts';
import type { Horse } from '../horses/schemas.ts';
import { statusAfter } from '../horses/status.ts';
import { type HorseChange, toDeathReport } from '../horses/store.ts';
import { getPeriodBounds } from '../ownership/store.ts';
import { type Birth, birthErrors, firstDayOf } from '../pedigree/rules.ts';
import type { Death, DeathDecision, DeathDecisionBody } from './schemas.ts';

type Deps = Pick<HorsesDeps, 'db' | 'directory'>;

/** For a decision of the office, before which the status stays: one of several owners could take a living horse out of sport. */
export function reportDeath(call: RecordCall<Death>, deps: Deps): Promise<Horse> {
	return changeHorse(call, deps, async (db, row, horse) => {
		await checkDeath(db, row, call.body, dayInVienna(call.now));
		if (row.deathReport !== null) throw horsesError('DEATH_ALREADY_REPORTED');
		const { principal } = call;
		const report = {
			...call.body,
			reportedAt: call.now.toISOString(),
			reportedBy: principal.userId,
			reportedByMemberId: actingMember(principal, keepersOf(horse)) ?? null,
		};
		return { deathReport: JSON.stringify(report) };
	});
}

/** By the office; decides on a pending report too. */
export function recordDeath(call: RecordCall<Death>, deps: Deps): Promise<Horse> {
	return changeHorse(call, deps, (db, row) => confirmed(db, row, call.body, call));
}

export function confirmDeath(call: RecordCall, deps: Deps): Promise<Horse> {
	return changeHorse(call, deps, (db, row) => confirmed(db, row, requireReport(row), call));
}

export function rejectDeath(call: RecordCall<DeathDecisionBody>, deps: Deps): Promise<Horse> {
	return changeHorse(call, deps, async (db, row) => {
		const { date: dateOfDeath } = requireReport(row);
		const { reason } = call.body;
		const decidedBy = call.principal.userId;
		await insertDeathDecision(db, row, { decision: 'REJECTED', dateOfDeath, reason, decidedBy }, call.now);
		return { deathReport: null };
	});
}

/** Restores the previous status. @throws ApiError, see the route; errors of peer calls. */
export async function undoDeath(call: RecordCall<DeathDecisionBody>, deps: Deps): Promise<Horse> {
	const { reason } = call.body;
	const returning = await tiesOfReturning(call, deps);
	return changeHorse(call, deps, async (db, row, horse) => {
		const { beforeDeath: before, dateOfDeath } = row;
		const status = statusAfter('undoDeath', row);
		if (dateOfDeath === null) throw new TypeError('A deceased horse has a day of death.');
		if (birthErrors(row, dayInVienna(call.now)).length > 0) throw horsesError('TOO_OLD_TO_LIVE');
		const ties = returning(horse);
		const decidedBy = call.principal.userId;
		await insertDeathDecision(db, row, { decision: 'UNDONE', dateOfDeath, reason, decidedBy }, call.now);
		return { ...ties, statusReason: null, ...before, status, dateOfDeath: null, beforeDeath: null };
	});
}

async function confirmed(
	db: HorsesQueryable,
	row: HorseRow,
	death: Death,
	{ principal, now }: RecordCall,
): Promise<HorseChange> {
	const status = await checkDeath(db, row, death, dayInVienna(now));
	const { date: dateOfDeath, reason } = death;
	const decidedBy = principal.userId;
	await insertDeathDecision(db, row, { decision: 'CONFIRMED', dateOfDeath, reason, decidedBy }, now);
	const { statusReason, removedStatus, removedStatusReason } = row;
	const before = { status: row.status, statusReason, removedStatus, removedStatusReason };
	return {
		status,
		statusReason: reason,
		removedStatus: null,
		removedStatusReason: null,
		dateOfDeath,
		deathReport: null,
		beforeDeath: JSON.stringify(before),
	};
}

function requireReport({ deathReport: report }: HorseRow): Death {
	if (report === null) throw horsesError('NO_DEATH_REPORTED');
	return report;
}

async function checkDeath(db: HorsesQueryable, row: HorseRow, { date }: Death, today: string) {
	const status = statusAfter('decease', row);
	refuseInvalid(deathDayErrors(date, row, { field: 'date', today }));
	const { last } = await getPeriodBounds(db, row.id);
	if (date < last) throw horsesError('OWNERSHIP_AFTER_DEATH', { context: { ownedFrom: last } });
	return status;
}

export function deathDayErrors(
	death: string,
	birth: Birth,
	{ field, today }: { readonly field: string; readonly today: string },
): FieldError[] {
	const error = (message: string): FieldError[] => [{ field, code: 'INVALID_RANGE', message }];
	if (death > today) return error('must not lie in the future');
	return death < firstDayOf(birth) ? error('must not lie before the birth') : [];
}

type NewDecision = Pick<DeathDecision, 'decision' | 'dateOfDeath' | 'reason' | 'decidedBy'>;

export async function insertDeathDecision(
	db: HorsesQueryable,
	{ id: horseId, deathReport }: Pick<HorseRow, 'id' | 'deathReport'>,
	decision: NewDecision,
	decidedAt: Date,
): Promise<void> {
	const report = deathReport === null ? null : JSON.stringify(deathReport);
	await db
		.insertInto('deathDecisions')
		.values({ ...decision, horseId, report, decidedAt })
		.execute();
}

export async function listDeathDecisions(db: HorsesQueryable, horseId: string): Promise<DeathDecision[]> {
	const rows = await db
		.selectFrom('deathDecisions')
		.selectAll()
		.where('horseId', '=', horseId)
		.orderBy('decidedAt', 'desc')
		.orderBy('id')
		.execute();
	return rows.map(({ horseId: _, report, ...decision }) => ({
		...withInstants(decision),
		report: toDeathReport(report),
	}));
}
