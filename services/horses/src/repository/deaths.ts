import type { DeathDecisionRow, HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { DeathDecision, DeathDecisionKind } from '../schemas/death.ts';
import { toDeathReport } from './horse-rows.ts';

/** A decision of the federation office. */
export interface NewDeathDecision {
	readonly decision: DeathDecisionKind;
	readonly dateOfDeath: string;
	readonly reason: string | null;
	/** The user. */
	readonly decidedBy: string;
}

/** Stores the decision with the pending report of the horse. */
export async function insertDeathDecision(
	db: HorsesQueryable,
	{ id, death_report: report }: Pick<HorseRow, 'id' | 'death_report'>,
	{ decision, dateOfDeath, reason, decidedBy }: NewDeathDecision,
	now: Date,
): Promise<void> {
	await db
		.insertInto('death_decisions')
		.values({
			horse_id: id,
			decision,
			date_of_death: dateOfDeath,
			reason,
			report: report === null ? null : JSON.stringify(report),
			decided_by: decidedBy,
			decided_at: now,
		})
		.execute();
}

/** Decisions about a horse, latest first. */
export async function listDeathDecisions(db: HorsesQueryable, horseId: string): Promise<DeathDecision[]> {
	const rows = await db
		.selectFrom('death_decisions')
		.selectAll()
		.where('horse_id', '=', horseId)
		.orderBy('decided_at', 'desc')
		.orderBy('id')
		.execute();
	return rows.map(toDecision);
}

function toDecision(row: DeathDecisionRow): DeathDecision {
	return {
		id: row.id,
		decision: row.decision,
		dateOfDeath: row.date_of_death,
		reason: row.reason,
		report: toDeathReport(row.report),
		decidedBy: row.decided_by,
		decidedAt: row.decided_at.toISOString(),
	};
}
