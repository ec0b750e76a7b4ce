import {
	contextSettings,
	deployedContextsSetting,
	integerSetting,
	jobPollSetting,
	switchSetting,
} from '@paddock/service/settings';
import type { z } from 'zod';
import { context } from '../context.ts';

export const settings = contextSettings(context).safeExtend({
	CONTEXTS: deployedContextsSetting(context),
	JOB_POLL_MS: jobPollSetting,
	PROMOTION_WITHDRAWAL_HOURS: integerSetting(0, 168, 24).describe(
		'Hours in which an entry that got its place from the waiting list can be withdrawn free of charge, even after the entry deadline.',
	),
	REFUND_FILLED_PLACES: switchSetting(false).describe(
		'An entry that was withdrawn after the entry deadline owes nothing once its place is filled. off = it stays due (OeTO §28.7).',
	),
	EVENT_APPROVAL: switchSetting(true).describe(
		'Events are published by the federation’s office only; organisers submit them. off = organisers publish their events themselves.',
	),
	EVENT_SUBMISSION_DAYS: integerSetting(0, 365, 28).describe(
		'Number of days before its first day until which an event should be submitted for approval (OeTO §24); a later submission gets a warning. 0 = no warning.',
	),
});

export type EventsSettings = z.output<typeof settings>;
