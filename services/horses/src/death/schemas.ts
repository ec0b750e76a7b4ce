import { day, id, instant, line, nullableLine } from '@paddock/service';
import { z } from 'zod';

const exampleReport = {
	date: '2026-02-11',
	reason: 'Kolik',
	reportedAt: '2026-02-11T18:20:00.000Z',
	reportedByMemberId: '1c0a4a66-2a1d-4a8f-8e8d-2a3f4e5d6c7b',
};
const horseId = '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80';

/** A reported death that the federation's office has not decided on. */
export const deathReport = z
	.strictObject({
		date: day.describe('Day of the death.'),
		reason: nullableLine(200).describe('Cause of the death; null if unknown.'),
		reportedAt: instant.describe('When it was reported, in UTC.'),
		reportedByMemberId: id
			.nullable()
			.describe('UUID of the member who reported it; null if the account has no member.'),
	})
	.meta({
		id: 'DeathReport',
		description: 'Report of a death by the horse’s side; null without one.',
		example: exampleReport,
	});

export type DeathReport = z.output<typeof deathReport>;

export const deceaseBody = z
	.strictObject({
		date: day.describe('Day of the death; not in the future.'),
		reason: nullableLine(200).default(null).describe('Cause of the death; null if unknown.'),
	})
	.meta({
		id: 'DeceaseHorseBody',
		description: 'Day and cause of a death.',
		example: { date: '2026-02-11', reason: 'Kolik' },
	});

export type Death = z.output<typeof deceaseBody>;

export const deathDecisionBody = z
	.strictObject({ reason: line(1, 200).describe('Reason, stored with the decision.') })
	.meta({
		id: 'DeathDecisionBody',
		description: 'Reason of a decision.',
		example: { reason: 'Verwechslung mit einem Stallgenossen' },
	});

export type DeathDecisionBody = z.output<typeof deathDecisionBody>;

const decisionKind = z
	.enum(['CONFIRMED', 'REJECTED', 'UNDONE'])
	.meta({ id: 'DeathDecisionKind', description: 'UNDONE: a confirmed death was a mistake.' });

const decision = z
	.strictObject({
		id,
		decision: decisionKind,
		dateOfDeath: day.describe('Day of the death that was decided on.'),
		reason: z.string().nullable().describe('Reason that the office gave; null without one.'),
		report: deathReport.nullable(),
		decidedBy: id.describe('UUID of the account.'),
		decidedAt: instant.describe('When the office decided, in UTC.'),
	})
	.meta({
		id: 'DeathDecision',
		description: 'One decision of the office on the death of a horse.',
		example: {
			id: 'a93f405c-6d7e-4f80-8192-a3b4c5d6e7f8',
			decision: 'UNDONE',
			dateOfDeath: '2026-02-11',
			reason: 'Verwechslung mit einem Stallgenossen',
			report: null,
			decidedBy: '9e3f405c-6d7e-4f80-8192-a3b4c5d6e7f8',
			decidedAt: '2026-02-12T08:00:00.000Z',
		},
	});

export type DeathDecision = z.output<typeof decision>;

export const deathDecisions = z
	.strictObject({
		horseId: id.describe('UUID of the horse.'),
		decisions: z.array(decision).describe('Decisions, the latest first.'),
	})
	.meta({
		id: 'DeathDecisions',
		description: 'Decisions of the office on the death of a horse.',
		example: { horseId, decisions: [] },
	});
