import { withInstants } from '@paddock/service';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import { toDeathReport } from '../horses/store.ts';
import type { DeathDecision } from './schemas.ts';

/** A decision of the federation's office. */
type NewDecision = Pick<DeathDecision, 'decision' | 'dateOfDeath' | 'reason' | 'decidedBy'>;

/** Stores the decision with the pending report of the horse. */
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

/** Decisions about a horse, latest first. */
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
